/**
 * Renders what subscribers of a status page need as HTML, without scripts: the ways to subscribe, the form, its outcome,
 * and the subscription behind a link.
 */
import type { SubscriberType } from '../../contracts/letters/letters';
import { SUBSCRIBER_TYPES } from '../../contracts/letters/letters';
import type { StatusPage } from '../../models/status-pages/status-pages';
import {
  createSubscriptionTexts,
  type SubscriptionTexts,
} from '../../notify/letters/subscription-texts';
import type { SubscriptionWord } from '../../notify/letters/words/en';
import { escapeHtml } from './escape-html';
import { type Look, type RenderedPage, renderDocument } from './status-page-document';

type Ways = StatusPage['subscribers'];

/** The values that a visitor has entered in the form. */
export interface Wish {
  readonly type: string;
  readonly to: string;
  /** null means the whole page. */
  readonly items: readonly string[] | null;
}

export interface SubscribeForm {
  readonly ways: Ways;
  readonly wish: Wish | null;
  /** The problem with the input. null means that the input is valid. */
  readonly problem: SubscriptionWord | null;
}

export interface Frame {
  readonly page: StatusPage;
  readonly fontUrl: string | null;
  /** URL of the status page, relative to the URL of the form. */
  readonly pageUrl: string;
}

/** Names of the form's fields. An item is selected by its id, a group by its name. */
export const FIELD = {
  type: 'type',
  to: 'to',
  which: 'which',
  item: 'item',
  group: 'group',
} as const;

const FIELD_WORDS = {
  mail: 'subscribe.mail-field',
  webhook: 'subscribe.webhook-field',
  slack: 'subscribe.slack-field',
} as const satisfies Record<SubscriberType, SubscriptionWord>;

const WAY_WORDS = {
  mail: 'subscribe.mail',
  webhook: 'subscribe.webhook',
  slack: 'subscribe.slack',
} as const satisfies Record<SubscriberType, SubscriptionWord>;

const FEEDS = [
  { type: 'application/rss+xml', file: 'feed.rss', name: 'RSS' },
  { type: 'application/atom+xml', file: 'feed.atom', name: 'Atom' },
  { type: 'application/feed+json', file: 'feed.json', name: 'JSON Feed' },
] as const;

/** Renders the links to the feeds for the head of a page. `files` is the start of their URLs. */
export function renderFeedLinks(files: string): string {
  return FEEDS.map(
    ({ type, file, name }) =>
      `<link rel="alternate" type="${type}" title="${name}" href="${files}${file}">`,
  ).join('');
}

/**
 * Renders the ways to subscribe, folded. The form is on a separate page, so that the status page stays small and
 * cacheable.
 */
export function renderSubscribeMenu(
  look: Look,
  files: string,
  ways: readonly SubscriberType[],
): string {
  const { say } = createSubscriptionTexts(look);
  const links = [
    ...ways.map((way) => [`subscribe?type=${way}`, say(WAY_WORDS[way])] as const),
    ...FEEDS.map(({ file, name }) => [file, name] as const),
  ];
  const items = links.map(([file, word]) => `<li><a href="${files}${file}">${word}</a></li>`);
  return `<details class="subscribe"><summary>${say('subscribe.button')}</summary><ul class="card">${items.join('')}</ul></details>`;
}

export function renderSubscribeForm(
  frame: Frame,
  { ways, wish, problem }: SubscribeForm,
): RenderedPage {
  const { page } = frame;
  const texts = createSubscriptionTexts(page);
  const { say } = texts;
  const open = SUBSCRIBER_TYPES.filter((type) => ways[type]);
  const alert =
    problem === null ? '' : `<p id="problem" role="alert"><strong>${say(problem)}</strong></p>`;
  const described = problem === null ? '' : ' aria-describedby="problem"';
  const isMail = open.length === 1 && open[0] === 'mail';
  return framed(frame, texts, {
    title: say('subscribe.title', { page: page.title }),
    content: `<p>${say('subscribe.lead')}</p>${alert}
<form method="post" action="subscribe">
${renderTypeFields(texts, open, wish)}
<p><label>${renderFieldLabel(texts, open)}<br><input name="${FIELD.to}" type="${isMail ? 'email' : 'text'}"${isMail ? ' autocomplete="email"' : ''} required maxlength="2048" value="${escapeHtml(wish?.to ?? '')}"${described}></label></p>
${itemFields(texts, page, wish?.items ?? null)}
<p><button>${say('subscribe.button')}</button></p>
</form>`,
  });
}

/** Renders the label of the input for the address. It shows only the words for the chosen way, without a script. */
function renderFieldLabel({ say }: SubscriptionTexts, open: readonly SubscriberType[]): string {
  if (open.length === 1) return open.map((type) => say(FIELD_WORDS[type])).join('');
  return open
    .map((type) => `<span class="for" data-for="${type}">${say(FIELD_WORDS[type])} </span>`)
    .join('');
}

function renderTypeFields(
  { say }: SubscriptionTexts,
  open: readonly SubscriberType[],
  wish: Wish | null,
): string {
  const [first] = open;
  if (open.length === 1) return `<input type="hidden" name="${FIELD.type}" value="${first}">`;
  const chosen = open.find((type) => type === wish?.type) ?? first;
  return `<p>${open
    .map(
      (type) =>
        `<label><input type="radio" name="${FIELD.type}" value="${type}"${type === chosen ? ' checked' : ''}> ${say(WAY_WORDS[type])}</label>`,
    )
    .join('<br>')}</p>`;
}

/** Renders the choice of items. Empty if the page has only one item. */
function itemFields(
  { say }: SubscriptionTexts,
  { groups }: StatusPage,
  items: readonly string[] | null,
): string {
  if (groups.flatMap((group) => group.items).length < 2) return '';
  const which = (value: string, word: SubscriptionWord, isChosen: boolean) =>
    `<label><input type="radio" name="${FIELD.which}" value="${value}"${isChosen ? ' checked' : ''}> ${say(word)}</label>`;
  const box = (name: string, value: string, text: string, isChosen: boolean) =>
    `<label><input type="checkbox" name="${name}" value="${escapeHtml(value)}"${isChosen ? ' checked' : ''}> <bdi>${escapeHtml(text)}</bdi></label>`;
  const sections = groups.map(
    (group) =>
      `<fieldset><legend>${box(FIELD.group, group.name, group.name, false)}</legend>${group.items
        .map(({ id, name }) => box(FIELD.item, id, name, items?.includes(id) ?? false))
        .join('<br>')}</fieldset>`,
  );
  return `<p>${which('all', 'subscribe.whole', items === null)}<br>${which('some', 'subscribe.some', items !== null)}</p>
${sections.join('\n')}`;
}

export function renderSubscriptionNote(
  frame: Frame,
  { title, note }: { readonly title: SubscriptionWord; readonly note: SubscriptionWord },
): RenderedPage {
  const texts = createSubscriptionTexts(frame.page);
  const names = { page: frame.page.title };
  return framed(frame, texts, {
    title: texts.say(title, names),
    content: `<p role="status">${escapeHtml(texts.say(note, names))}</p>`,
  });
}

interface Shown {
  readonly token: string;
  readonly to: string;
  readonly items: readonly string[] | null;
  readonly isToConfirm: boolean;
  readonly note: SubscriptionWord | null;
}

export function renderSubscription(
  frame: Frame,
  { token, to, items, isToConfirm, note }: Shown,
): RenderedPage {
  const { page } = frame;
  const texts = createSubscriptionTexts(page);
  const { say } = texts;
  const names = {
    to: `<bdi>${escapeHtml(to)}</bdi>`,
    page: `<bdi>${escapeHtml(page.title)}</bdi>`,
  };
  const said =
    note === null
      ? ''
      : `<p role="status"><strong>${escapeHtml(say(note, { page: page.title }))}</strong></p>`;
  const button = (value: string, word: SubscriptionWord) =>
    `<button name="do" value="${value}">${say(word)}</button>`;
  const fields = isToConfirm ? '' : itemFields(texts, page, items);
  const buttons = isToConfirm
    ? button('confirm', 'confirm.button')
    : `${fields === '' ? '' : `${button('save', 'manage.save')} `}${button('end', 'manage.end')}`;
  return framed(frame, texts, {
    title: say(isToConfirm ? 'confirm.title' : 'manage.title'),
    content: `${said}<p>${say(isToConfirm ? 'confirm.what' : 'manage.what', names)}</p>
<form method="post" action="subscription?token=${encodeURIComponent(token)}">
${fields}
<p>${buttons}</p>
</form>`,
  });
}

const CHOSEN_LABELS = SUBSCRIBER_TYPES.map(
  (type) => `form:has([value=${type}]:checked) [data-for=${type}]`,
).join(',');
/** While the whole page is chosen, its items are hidden. */
const FORM_STYLE =
  `@supports selector(:has(*)){.for{display:none}${CHOSEN_LABELS}{display:inline}form:has([value=all]:checked) fieldset{display:none}}` +
  'input:not([type=radio]):not([type=checkbox]),button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--muted);border-radius:8px}' +
  'input:not([type=radio]):not([type=checkbox]){width:100%;max-width:30rem;padding:.5rem .75rem}label{line-height:1.9}label:has([type=radio],[type=checkbox]){display:inline-block;min-height:24px}fieldset{border:0;padding:0 0 0 1.5rem;margin:0 0 .5rem}legend{margin-left:-1.5rem}button{padding:.5rem 1.1rem;font-weight:600;cursor:pointer}';

function framed(
  { page, fontUrl, pageUrl }: Frame,
  { say }: SubscriptionTexts,
  { title, content }: { readonly title: string; readonly content: string },
): RenderedPage {
  const main = `<h1>${escapeHtml(title)}</h1>
${content}
<p><a href="${pageUrl}">${say('subscribe.back')}</a></p>`;
  return renderDocument({ ...page, logo: null }, { title, main, fontUrl, formStyle: FORM_STYLE });
}
