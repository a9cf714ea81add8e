/**
 * The public status page as HTML, without scripts. Text written by isolateText is escaped, and cannot change the direction
 * of other text.
 */

import type { SubscriberType } from '../../contracts/letters/letters';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import type { PublicMaintenance } from '../../services/status-pages/public-maintenance';
import { OUTAGES_WITHIN_MS } from '../../services/status-pages/public-outages';
import {
  type PublicMonth,
  type ShownPost,
  startOfMonth,
} from '../../services/status-pages/public-posts';
import {
  findWorstState,
  type PublicGroup,
  type PublicItem,
  type PublicState,
  type PublicStatus,
} from '../../services/status-pages/public-status';
import { renderDays, renderLegend } from './status-page-days';
import {
  type Look,
  PLAIN_LOOK,
  type RenderedPage,
  renderDocument,
  renderLogo,
} from './status-page-document';
import { renderLedger, renderServiceHours } from './status-page-ledger';
import { renderMonthOutages, renderRecentOutages } from './status-page-outages';
import { renderOpenPosts, renderPastPosts, renderPost } from './status-page-posts';
import { renderResponseTimes } from './status-page-response';
import { getTexts, isolateText, type PageTexts } from './status-page-text';
import { renderFeedLinks, renderSubscribeMenu } from './subscription-html';

interface PageOptions {
  readonly nowMs: number;
  /** Lower-case letters, digits and hyphens. null means that the page is at the root of a custom domain. */
  readonly slug: string | null;
  /** True means that only members of the account see the page. */
  readonly isDraft?: boolean;
  /** The dashboard's font; null means the system's font. */
  readonly fontUrl?: string | null;
  /** True means that a script shows times in the reader's time zone. */
  readonly hasScript?: boolean;
  /** The ways in which isolateText can subscribe to the page, other than by its feeds. */
  readonly ways?: readonly SubscriberType[];
  /** The ledger of the account's checks; null means that the page does not show it. */
  readonly ledger?: LedgerResponse | null;
}

export function renderStatusPage(status: PublicStatus, options: PageOptions): RenderedPage {
  const { nowMs, slug, isDraft = false, fontUrl = null, ledger = null } = options;
  const { hasScript = false, ways = [] } = options;
  const { title, description, groups, outages, maintenance, posts, newestPostAtMs, look } = status;
  const texts = getTexts(look.language);
  const files = slug === null ? '' : `${slug}/`;
  const about = description === null ? '' : `<p class="about">${isolateText(description)}</p>`;
  const month = newestPostAtMs === null ? null : `${files}history/${monthName(newestPostAtMs)}`;
  const older = `${files}history/${monthName(nowMs - OUTAGES_WITHIN_MS)}`;
  const sections = groups.map((group, at) => groupSection(group, at, texts));
  return renderDocument(look, {
    title,
    fontUrl,
    hasScript,
    main: `<a class="skip" href="#content">${texts.say('page.skip')}</a><header>${isDraft ? draftNote(texts) : ''}${renderLogo(look.logo)}
<div class="top"><h1>${isolateText(title)}</h1>${renderSubscribeMenu(look, files, ways)}</div>${about}
${overallLine(status, texts)}
${readingLine(status, texts)}${renderServiceHours(status.service, texts)}</header>
${renderOpenPosts(posts, texts)}
${maintenanceSection(maintenance, nowMs, texts)}
${sections.join('\n')}
${groups.length === 0 ? '' : renderLegend(texts)}
${renderRecentOutages(outages, older, texts)}
${renderLedger(ledger, texts)}
${renderPastPosts(posts, month, texts)}`,
    head: renderFeedLinks(files),
  });
}

type PageNames = Pick<PublicStatus, 'title' | 'look'>;

/** Renders the incidents and the posts of one month, with links to the status page and to the neighbouring months. */
export function renderStatusMonth(
  { title, look }: PageNames,
  { posts, outages, startMs, hasEarlier, hasLater }: PublicMonth,
  { slug, fontUrl }: { readonly slug: string | null; readonly fontUrl: string | null },
): RenderedPage {
  const texts = getTexts(look.language);
  const { say } = texts;
  const month = texts.month(startMs);
  const to = (is: boolean, atMs: number) =>
    is ? `<a href="${monthName(atMs)}">${texts.month(atMs)}</a>` : '<span></span>';
  const none = posts.length === 0 ? `<p>${say('posts.none-in-month')}</p>` : '';
  const articles = posts.map((post) => renderPost(post, texts)).join('\n');
  return renderDocument(look, {
    title: `${title}, ${month}`,
    fontUrl,
    hasScript: true,
    main: `<header>${renderLogo(look.logo)}<h1><a href="../${slug === null ? '' : `../${slug}`}">${isolateText(title)}</a></h1></header>
${renderMonthOutages(outages, month, texts)}
<section class="posts"><h2>${say('posts.of-month', { month })}</h2>${none}${articles}
<nav class="months" aria-label="${say('posts.months')}">${to(hasEarlier, startOfMonth(startMs, -1))}${to(hasLater, startOfMonth(startMs, 1))}</nav></section>`,
  });
}

export function renderPostPreview({
  post,
  page: { title, logo, accent, theme, language },
}: {
  readonly post: ShownPost;
  readonly page: Look & { readonly title: string };
}): RenderedPage {
  const main = `<section class="posts">${renderPost(post, getTexts(language))}</section>`;
  return renderDocument({ logo, accent, theme, language }, { title, main, isSmall: true });
}

/** Formats the month, for example `2026-01`. */
function monthName(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** Renders the status as a few lines, for iframes on other sites. */
export function renderStatusEmbed(status: PublicStatus, slug: string | null): RenderedPage {
  const { title, groups, look } = status;
  const texts = getTexts(look.language);
  const rows = groups.flatMap(({ items }) => items.map((item) => embedRow(item, texts)));
  const page = renderDocument(look, {
    title,
    isSmall: true,
    main: `<h1><a href="${slug === null ? './' : `../${slug}`}" target="_blank" rel="noopener">${isolateText(title)}</a></h1>
${overallLine(status, texts)}
<ul>${rows.join('\n')}</ul>`,
  });
  return { ...page, policy: page.policy.replace("frame-ancestors 'none'", 'frame-ancestors *') };
}

/** Renders the response for a status page that does not exist or is not public. */
export function renderNoStatusPage(fontUrl: string | null): RenderedPage {
  const main = '<h1>Page not found</h1>';
  return renderDocument(PLAIN_LOOK, { title: 'Not found', main, fontUrl });
}

function draftNote({ say }: PageTexts): string {
  const draft = `<strong>${say('page.draft')}</strong>`;
  return `<p class="draft">${say('page.draft-note', { draft })}</p>`;
}

/** Renders the line with the time at which the data was read, and the uptime of the whole page. */
function readingLine({ readAtMs, availability }: PublicStatus, texts: PageTexts): string {
  const updated = texts.say('time.updated', { time: texts.zonedTime(readAtMs) });
  return `<p class="muted reading"><span>${updated}</span>${wholeUptime(availability, texts)}</p>`;
}

function wholeUptime(availability: number | null, { say, percent }: PageTexts): string {
  if (availability === null) return '';
  return `<span class="muted">${say('uptime.whole', { percent: percent(availability) })}</span>`;
}

/** True if there are items, and all of them are down. */
export function isAllDown({ groups }: Pick<PublicStatus, 'groups'>): boolean {
  const items = groups.flatMap((group) => group.items);
  return items.length > 0 && items.every(({ state }) => state === 'down');
}

/**
 * Returns the words for the state of the whole page. If the page is degraded but no item is degraded, the words refer
 * to the posted incident.
 */
export function describeOverallState(
  { overall, groups, isSuspended }: Pick<PublicStatus, 'overall' | 'groups' | 'isSuspended'>,
  texts: PageTexts,
): string {
  if (isSuspended === true) return texts.say('overall.suspended');
  if (isAllDown({ groups })) return texts.say('overall.all-down');
  const items = groups.flatMap((group) => group.items);
  const isByPost = overall === 'degraded' && !items.some(({ state }) => state === 'degraded');
  return isByPost ? texts.say('overall.incident') : texts.overall(overall);
}

/** Maximum number of names. If more items are affected, the heading counts them. */
const NAMED_MAX = 6;
const AFFECTED: readonly PublicState[] = ['down', 'degraded', 'maintenance'];

/**
 * Renders the state of the whole page, and the affected items by state, the worst state first. If exactly one item is
 * down, the heading names it. If all items are down, none is listed below the heading.
 */
function overallLine(status: PublicStatus, texts: PageTexts): string {
  const { overall, groups } = status;
  const items = groups.flatMap((group) => group.items);
  const down = items.filter(({ state }) => state === 'down');
  const [only] = down.length === 1 ? down : [];
  const title =
    only === undefined
      ? describeOverallState(status, texts)
      : texts.say('outage.is-down', { name: isolateText(only.name) });
  const others = isAllDown(status) ? [] : items.filter((item) => item !== only);
  const affected = affectedWords(others, texts);
  const details = affected === '' ? '' : `<small>${affected}</small>`;
  return `<p class="overall ${overall}" id="content" role="status"><span>${title}${details}</span></p>`;
}

/** Lists the affected items, for example `Down: Checkout, Login · Degraded: Search`. Empty if there are none. */
function affectedWords(items: readonly PublicItem[], { state: word }: PageTexts): string {
  const affected = items.filter(({ state }) => AFFECTED.includes(state));
  const isNamed = affected.length <= NAMED_MAX;
  return AFFECTED.flatMap((wanted) => {
    const names = affected
      .filter(({ state }) => state === wanted)
      .map(({ name }) => isolateText(name));
    if (names.length === 0) return [];
    return `${word(wanted)}: ${isNamed ? names.join(', ') : names.length}`;
  }).join(' · ');
}

/** Renders a group, which is open at first. A collapsed group shows its state next to its name. */
function groupSection({ name, items, availability }: PublicGroup, at: number, texts: PageTexts) {
  const rows = items.map((item, index) => itemRow(item, `d${at}-${index}`, texts));
  // A group with one item shows no uptime, because the item shows it.
  const uptime = items.length < 2 ? '' : wholeUptime(availability, texts);
  const state = findWorstState(items.map((item) => item.state));
  const summary = `<summary><h2>${isolateText(name)}</h2><span class="state ${state}">${texts.state(state)}</span>${uptime}</summary>`;
  return `<section><details open>${summary}<ul class="items card">
${rows.join('\n')}
</ul></details></section>`;
}

function itemRow(item: PublicItem, group: string, texts: PageTexts): string {
  const { name, state, responseTimes } = item;
  return `<li><h3>${isolateText(name)}</h3><span class="state ${state}">${texts.state(state)}</span>
${renderDays(item, group, texts)}${renderResponseTimes(responseTimes, texts)}</li>`;
}

function embedRow({ name, state }: PublicItem, texts: PageTexts): string {
  return `<li>${isolateText(name)}<span class="state ${state}">${texts.state(state)}</span></li>`;
}

function maintenanceSection(
  all: readonly PublicMaintenance[],
  nowMs: number,
  { say, post, span }: PageTexts,
): string {
  if (all.length === 0) return '';
  const rows = all.map(({ names, fromMs, toMs }) => {
    const word = post(fromMs <= nowMs ? 'started' : 'scheduled');
    return `<li><strong>${word}</strong> ${span(fromMs, toMs)}<br>${names.map(isolateText).join(', ')}</li>`;
  });
  return `<section><h2>${say('maintenance.title')}</h2><ul class="card">${rows.join('\n')}</ul></section>`;
}
