/**
 * One letter to one subscriber of a status page, by email, as JSON, or to Slack. It contains only published content and
 * the link to unsubscribe.
 */
import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { NoticeKind, SubscriberType } from '../../contracts/letters/letters';
import type { PostState, StatusPageLanguage } from '../../contracts/status-pages';
import { cutText, toWellFormed } from '../../domain/text/cut-text';
import { escapeMarkup } from '../../domain/text/markup-escapes';
import { formatSender, readErrorOutcome } from '../email';
import { createMailTransport, type MailServer } from '../mail-transport';
import { type Post, type PostRequest, readPostOutcome } from '../post';
import { createSubscriptionTexts, type SubscriptionTexts } from './subscription-texts';

/** The content that all letters of a notice share. */
export interface LetterNews {
  readonly page: {
    readonly title: string;
    readonly slug: string;
    readonly language: StatusPageLanguage;
  };
  readonly postId: string;
  readonly title: string;
  readonly kind: NoticeKind;
  /** The state of the post. null for a post-mortem. */
  readonly state: PostState | null;
  /** Names of the affected items, as the page shows them. */
  readonly names: readonly string[];
  /** The text in Markdown. */
  readonly text: string;
  /** The text as HTML. null means that it could not be rendered. */
  readonly html: string | null;
  readonly atMs: number;
}

export interface OutgoingLetter {
  /** The id of the letter. It is the same for all attempts, so that receivers can recognise a repetition. */
  readonly id: string;
  readonly type: SubscriberType;
  readonly to: string;
  /** Link with which the recipient changes or ends the subscription. */
  readonly leaveUrl: string;
  readonly news: LetterNews;
}

export type LetterOutcome =
  | { readonly kind: 'sent'; readonly detail: string }
  /** The letter was refused. `isBounce` means that the server refused the recipient and not the letter. */
  | { readonly kind: 'refused'; readonly detail: string; readonly isBounce: boolean }
  | { readonly kind: 'later'; readonly detail: string; readonly afterMs: number | null };

/** Sends a letter. Never rejects because of the receiver or the network. */
export type SendLetter = (letter: OutgoingLetter) => Promise<LetterOutcome>;

interface Parts {
  readonly post: Post;
  /** null means that no mail server is configured. */
  readonly server: MailServer | null;
  readonly from: string;
  readonly publicUrl: string;
}

const DETAIL_MAX = 240;
const SUBJECT_MAX = 180;
const SLACK_TEXT_MAX = 2_900;
const NO_SERVER = 'Email is not set up (SMTP_URL).';

export function createLetterSender({ post, server, from, publicUrl }: Parts): SendLetter {
  const transport = server === null ? null : createMailTransport(server);
  const sendMail = async (letter: OutgoingLetter): Promise<LetterOutcome> => {
    if (server === null || transport === null)
      return { kind: 'later', detail: NO_SERVER, afterMs: null };
    try {
      const { response } = await transport.sendMail(buildLetterMail(letter, { from, publicUrl }));
      return { kind: 'sent', detail: cutText(String(response ?? 'accepted'), DETAIL_MAX) };
    } catch (error) {
      const outcome = readErrorOutcome(error, server);
      return outcome.kind === 'refused'
        ? { kind: 'refused', detail: outcome.detail, isBounce: isOfRecipient(error) }
        : { kind: 'later', detail: outcome.detail, afterMs: null };
    }
  };
  return async (letter) => {
    if (letter.type === 'mail') return sendMail(letter);
    const outcome = readPostOutcome(await post(buildLetterPost(letter, publicUrl)));
    const detail = cutText(outcome.detail, DETAIL_MAX);
    if (outcome.kind === 'sent') return { kind: 'sent', detail };
    if (outcome.kind === 'later') return { kind: 'later', detail, afterMs: outcome.afterMs };
    return { kind: 'refused', detail, isBounce: true };
  };
}

/** True if the server refused the RCPT command (RFC 5321 §3.3). */
function isOfRecipient(error: unknown): boolean {
  return error instanceof Error && 'command' in error && String(error.command).startsWith('RCPT');
}

/** Builds the texts of a letter: subject, state, affected items, and the reason why the recipient gets the letter. */
function writeWords({ page, title, kind, state, names }: LetterNews, { say }: SubscriptionTexts) {
  return {
    subject: `[${page.title}] ${title}`,
    state:
      state === null || kind === 'post_mortem' ? say('letter.post-mortem') : say(`state.${state}`),
    affects: names.length === 0 ? null : say('letter.affects', { names: names.join(', ') }),
    why: say('letter.why', { page: page.title }),
  };
}

function pageUrl(publicUrl: string, { page }: LetterNews): string {
  return `${publicUrl}/status/${page.slug}`;
}

export function buildLetterMail(
  { id, to, leaveUrl, news }: OutgoingLetter,
  { from, publicUrl }: Pick<Parts, 'from' | 'publicUrl'>,
): SendMailOptions {
  const texts = createSubscriptionTexts(news.page);
  const words = writeWords(news, texts);
  const domain = new URL(publicUrl).hostname;
  // The id of the post is hashed, because people outside of the account must not see it.
  const thread = createHash('sha256').update(news.postId).digest('hex').slice(0, 24);
  const links = [
    { label: texts.say('letter.view'), url: pageUrl(publicUrl, news) },
    { label: texts.say('letter.manage'), url: leaveUrl },
  ];
  const head = [words.state, words.affects].filter((line) => line !== null);
  return {
    from: formatSender(from, news.page.title),
    // The recipient is an object, because the library would parse a text as a list.
    to: { name: '', address: to },
    subject: cutText(oneLine(words.subject), SUBJECT_MAX),
    messageId: `<${id}@${domain}>`,
    inReplyTo: `<${thread}@${domain}>`,
    references: `<${thread}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      Precedence: 'list',
      // With this header, one POST to the link ends the subscription (RFC 8058).
      'List-Unsubscribe': `<${leaveUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    text: toWellFormed(
      [
        news.title,
        ...head,
        '',
        news.text,
        '',
        ...links.map(({ label, url }) => `${label}: ${url}`),
        '',
        words.why,
        '',
      ].join('\n'),
    ),
    html: toWellFormed(renderHtml(news, { texts, head, links, why: words.why })),
  };
}

interface HtmlParts {
  readonly texts: SubscriptionTexts;
  readonly head: readonly string[];
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly why: string;
}

/** Builds the HTML. It uses inline styles, because mail clients support little else. */
function renderHtml(
  { title, text, html }: LetterNews,
  { texts, head, links, why }: HtmlParts,
): string {
  const [state = '', affects] = head;
  const body = html ?? `<div style="white-space:pre-wrap">${escapeHtml(text)}</div>`;
  const anchors = links.map(
    ({ label, url }) =>
      `<a href="${escapeHtml(url)}" style="color:#0b7285">${escapeHtml(label)}</a>`,
  );
  return (
    `<!doctype html><html lang="${texts.language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width"></head>' +
    '<body style="margin:0;padding:24px;font-family:Helvetica,Arial,sans-serif;font-size:15px;color:#1a1b1e">' +
    `<h1 style="margin:0 0 8px;font-size:20px">${escapeHtml(title)}</h1>` +
    `<p style="margin:0 0 16px"><strong>${escapeHtml(state)}</strong>${affects === undefined ? '' : `<br>${escapeHtml(affects)}`}</p>` +
    body +
    `<p style="margin:24px 0 8px">${anchors.join(' · ')}</p>` +
    `<p style="color:#5c5f66;font-size:13px">${escapeHtml(why)}</p></body></html>`
  );
}

/** Builds the request: the whole letter as JSON for a webhook, or a message for Slack. */
export function buildLetterPost(letter: OutgoingLetter, publicUrl: string): PostRequest {
  const body = letter.type === 'slack' ? slackBody(letter, publicUrl) : jsonBody(letter, publicUrl);
  return {
    url: letter.to,
    headers: [{ name: 'Keepwatch-Event-Id', value: letter.id }],
    body: toWellFormed(JSON.stringify(body)),
  };
}

function jsonBody({ id, leaveUrl, news }: OutgoingLetter, publicUrl: string): object {
  const { page, title, kind, state, names, text, html, atMs } = news;
  return {
    id,
    type: `status_page.${kind}`,
    page: { title: page.title, url: pageUrl(publicUrl, news) },
    post: { title, state, affected: names, text, html, publishedAt: new Date(atMs).toISOString() },
    unsubscribeUrl: leaveUrl,
  };
}

function slackBody({ leaveUrl, news }: OutgoingLetter, publicUrl: string): object {
  const texts = createSubscriptionTexts(news.page);
  const words = writeWords(news, texts);
  const plain = (text: string, max = SLACK_TEXT_MAX) => escapeMarkup('slack', text, max);
  const lines = [
    `*${plain(oneLine(words.subject), SUBJECT_MAX)}*`,
    plain(words.state),
    ...(words.affects === null ? [] : [plain(words.affects, SUBJECT_MAX * 2)]),
  ];
  const section = (text: string) => ({
    type: 'section',
    text: { type: 'mrkdwn', verbatim: true, text },
  });
  const link = (label: string, url: string) => `<${url}|${plain(label)}>`;
  const links = [
    link(texts.say('letter.view'), pageUrl(publicUrl, news)),
    link(texts.say('letter.manage'), leaveUrl),
  ];
  return {
    text: plain(oneLine(words.subject), SUBJECT_MAX),
    unfurl_links: false,
    blocks: [section(lines.join('\n')), section(plain(news.text)), section(links.join(' · '))],
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
