/**
 * Sends alerts by email, as HTML and plain text, with one recipient per message. All attempts have the same Message-ID.
 * The messages of one incident form a thread.
 */
import type { SendMailOptions } from 'nodemailer';
import type { DeliveryOutcome } from '../contracts/alerts';
import { cutText, toWellFormed } from '../domain/text/cut-text';
import type { Logger } from '../platform/logger';
import type { AlertLink } from './alert-links';
import { type ChannelMessage, listLinks } from './channels/channel';
import { createMailTransport, explainUnreachable, type MailServer } from './mail-transport';
import type { SendMail } from './sender';
import type { AlertWords } from './words';

export interface MailSettings {
  /** The mail server. null means that none is configured. Every delivery then reports this problem. */
  readonly server: MailServer | null;
  readonly from: string;
  readonly publicUrl: string;
  /** Logs warnings to the operator about the mail server. */
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

const SUBJECT_MAX = 180;
/** Maximum number of facts in a message, because mail clients cut off messages at about 100 kB. */
const FACTS_MAX = 200;
const ACCOUNT_NAME_MAX = 60;
/** How much text the preview in an inbox has. */
const PREVIEW_LINES = 3;
const PREVIEW_MAX = 200;
/** Matches a MAIL_FROM with a display name. */
const NAMED_ADDRESS = /^(?:"([^"]*)"|([^"<>]*?))\s*<([^<>]+)>$/;

const COLOURS: Record<AlertWords['tone'], string> = {
  bad: '#c92a2a',
  good: '#2b8a3e',
  neutral: '#e67700',
};

export function createMailSender(settings: MailSettings): SendMail {
  const { server } = settings;
  if (server === null)
    return async () => ({ kind: 'refused', detail: 'Email is not set up (SMTP_URL).' });
  const transport = createMailTransport(server);
  const warn = warnOnce(settings.logger);
  return async (email, message) => {
    try {
      const sent = await transport.sendMail(buildMessage(email, message, settings));
      warn(null);
      return { kind: 'sent', detail: cutText(String(sent.response ?? 'accepted'), 200) };
    } catch (error) {
      const outcome = readErrorOutcome(error, server);
      if (isOperators(error, outcome)) warn(outcome.detail);
      return outcome;
    }
  };
}

/**
 * Creates a function that must be called after each attempt: with the reason if the server refuses the sender, and with
 * null if an email was sent. The function logs a warning only when the reason changes.
 */
function warnOnce(logger: MailSettings['logger']): (detail: string | null) => void {
  let lastDetail: string | null = null;
  return (detail) => {
    if (detail !== null && detail !== lastDetail)
      logger?.warn({ detail }, 'the mail server refuses Keepwatch; check SMTP_URL and MAIL_FROM');
    lastDetail = detail;
  };
}

/**
 * True if the server refused before it looked at the recipient and the message. Such a refusal can be fixed only by the
 * operator of the service.
 */
function isOperators(error: unknown, { kind }: DeliveryOutcome): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  return kind === 'later' && code >= 500;
}

export function buildMessage(
  email: string,
  message: ChannelMessage,
  { from, publicUrl }: Pick<MailSettings, 'from' | 'publicUrl'>,
): SendMailOptions {
  const { id, alert, words: all, isCustom, title, text, accountName } = message;
  const words = isCustom ? { ...all, headline: title } : withoutRest(all);
  const own = isCustom ? text : null;
  const links = listLinks(message);
  const domain = new URL(publicUrl).hostname;
  const thread = alert.incidentId === null ? [] : [`<${alert.incidentId}@${domain}>`];
  return {
    from: formatSender(from, accountName),
    // The recipient is an object, because the library would parse a text as a list.
    to: { name: '', address: email },
    subject: cutText(words.headline, SUBJECT_MAX),
    messageId: `<${id}@${domain}>`,
    ...(thread.length > 0 && { inReplyTo: thread[0], references: thread }),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    text: toWellFormed(buildPlainText(words, links, own)),
    html: toWellFormed(renderHtml(words, { links, own, accountName, publicUrl })),
  };
}

/** Returns the sender, for example `Keepwatch (Acme)`. If MAIL_FROM contains a name, this name replaces `Keepwatch`. */
export function formatSender(from: string, accountName: string | null) {
  const [, quoted, plain = '', address = from] = NAMED_ADDRESS.exec(from) ?? [];
  const name = (quoted ?? plain).trim() || 'Keepwatch';
  const shown = (accountName ?? '').replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  const full = shown === '' ? name : `${name} (${cutText(shown, ACCOUNT_NAME_MAX)})`;
  return { name: full, address };
}

function withoutRest(words: AlertWords): AlertWords {
  const hidden = words.facts.length - FACTS_MAX;
  if (hidden <= 0) return words;
  const more = { name: 'More', value: `${hidden} further ones` };
  return { ...words, facts: [...words.facts.slice(0, FACTS_MAX), more] };
}

/**
 * Builds the plain text. The links come last, because some of them are long. `own` is the text of a template, which
 * replaces the default lines.
 */
export function buildPlainText(
  { headline, lead, facts }: AlertWords,
  links: readonly AlertLink[],
  own: string | null = null,
): string {
  const linkLines = links.map(({ label, url }) => `${label}: ${url}`);
  if (own !== null) return [headline, '', own, '', ...linkLines, ''].join('\n');
  const width = Math.max(0, ...facts.map(({ name }) => Math.min(name.length, 24)));
  const lines = facts.map(({ name, value }) => `${`${name}:`.padEnd(width + 2)}${value}`);
  const first = lead.map(({ name, value, look }) =>
    look === 'labelled' ? `${name}: ${value}` : value,
  );
  const paragraphs = [first, lines, linkLines].filter((each) => each.length > 0);
  return [headline, ...paragraphs.flatMap((each) => ['', ...each]), ''].join('\n');
}

interface MailParts {
  readonly links: readonly AlertLink[];
  readonly own?: string | null;
  readonly accountName?: string | null;
  /** The base URL of the pages on which people manage alerts. */
  readonly publicUrl: string;
}

/**
 * Builds the HTML. It uses tables and inline styles, because mail clients support little else. Cause and buttons come
 * first.
 */
export function renderHtml(
  { headline, lead, facts, tone }: AlertWords,
  { links, own = null, accountName = null, publicUrl }: MailParts,
): string {
  const first = own === null ? lead.map(leadLine).join('') : ownText(own);
  const rows = own === null ? renderRows(facts) : '';
  const manage = `<a href="${escapeHtml(`${publicUrl}/alerting/channels`)}" style="color:#5c5f66">Manage alerts</a>`;
  const sender = accountName === null ? 'Alert rules' : `${escapeHtml(accountName)}’s alert rules`;
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"></head>' +
    '<body style="margin:0;background:#f1f3f5;font-family:Helvetica,Arial,sans-serif;font-size:15px">' +
    preheader(own === null ? [...lead.map(({ value }) => value), ...facts.map(writeFact)] : [own]) +
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">' +
    '<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;width:100%;background:#ffffff;border-radius:8px;overflow:hidden">' +
    `<tr><td style="height:6px;background:${COLOURS[tone]}"></td></tr>` +
    `<tr><td style="padding:24px"><h1 style="margin:0 0 16px;font-size:20px;color:#1a1b1e">${escapeHtml(headline)}</h1>` +
    first +
    `<p style="margin:20px 0">${links.map(renderButton).join(' ')}</p>` +
    `<table role="presentation" cellpadding="0" cellspacing="0" style="font-size:15px">${rows}</table>` +
    '</td></tr></table>' +
    `<p style="color:#5c5f66;font-size:13px">${sender} in Keepwatch send this to you. ${manage}</p>` +
    '</td></tr></table></body></html>'
  );
}

/**
 * Renders hidden text, which inboxes show after the subject as a preview. Without it, they would show the subject
 * twice.
 */
function preheader(lines: readonly string[]): string {
  const text = lines.slice(0, PREVIEW_LINES).join(' · ');
  return `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(cutText(text, PREVIEW_MAX))}</div>`;
}

function writeFact({ name, value }: AlertWords['facts'][number]): string {
  return `${name}: ${value}`;
}

const LEAD_LOOKS: Readonly<Record<AlertWords['lead'][number]['look'], string>> = {
  plain: 'font-weight:bold',
  labelled: 'border-left:3px solid #ced4da;padding-left:10px',
  code: 'font-family:Menlo,Consolas,monospace;font-size:13px',
};

/** Renders a first line: the cause in bold, and text of the target unchanged in a monospaced font. */
function leadLine({ name, value, look }: AlertWords['lead'][number]): string {
  const label = look === 'labelled' ? `<b>${escapeHtml(name)}:</b> ` : '';
  const style = `margin:0 0 8px;color:#1a1b1e;white-space:pre-wrap;word-break:break-word;${LEAD_LOOKS[look]}`;
  return `<p style="${style}">${label}${escapeHtml(value)}</p>`;
}

/** Renders a button. The first button is highlighted, because people need it most often. */
function renderButton({ label, url }: AlertLink, index: number): string {
  const look =
    index === 0
      ? 'background:#0b7285;color:#ffffff;border:1px solid #0b7285'
      : 'background:#ffffff;color:#0b7285;border:1px solid #ced4da';
  return `<a href="${escapeHtml(url)}" style="display:inline-block;margin:0 8px 8px 0;padding:12px 14px;${look};text-decoration:none;border-radius:6px">${escapeHtml(label)}</a>`;
}

function renderRows(facts: AlertWords['facts']): string {
  return facts
    .map(
      ({ name, value }) =>
        `<tr><td style="padding:4px 16px 4px 0;color:#5c5f66;vertical-align:top;white-space:nowrap">${escapeHtml(name)}</td>` +
        `<td style="padding:4px 0;color:#1a1b1e;word-break:break-word">${escapeHtml(value)}</td></tr>`,
    )
    .join('');
}

/** Renders text of a template with its line breaks. */
function ownText(text: string): string {
  return `<div style="color:#1a1b1e;white-space:pre-wrap;word-break:break-word">${escapeHtml(text)}</div>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * Codes of errors about this message. The owner of the channel is shown the reason. Only the operator can fix all other
 * errors.
 */
const OF_MESSAGE = ['EENVELOPE', 'EMESSAGE'];
const REASON_LENGTH_MAX = 200;

/**
 * Matches the commands after which the server judges the recipient and the message. Before these commands, it judges
 * the sender.
 */
const JUDGES_MESSAGE = /^(?:RCPT|DATA)/;

/** Converts an error to an outcome. A permanent refusal (5xx) of the recipient or the message is not retried. */
export function readErrorOutcome(error: unknown, { smtpUrl }: MailServer): DeliveryOutcome {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  const name = error instanceof Error && 'code' in error ? String(error.code) : '';
  const given = error instanceof Error && 'response' in error ? String(error.response) : '';
  const reason = OF_MESSAGE.includes(name) ? reasonIn(given) : '';
  const what = reason === '' ? `${code}. ${name}`.trim() : `${code} (${reason}).`;
  const detail = code > 0 ? `Mail server response: ${what}` : explainUnreachable(error, smtpUrl);
  const command = error instanceof Error && 'command' in error ? String(error.command) : '';
  const isForGood = code >= 500 && code < 600 && JUDGES_MESSAGE.test(command);
  return isForGood ? { kind: 'refused', detail } : { kind: 'later', detail, afterMs: null };
}

/** Returns the text of a server reply (RFC 5321 §4.2) without the code at the start of each line. */
function reasonIn(reply: string): string {
  const words = reply
    .replaceAll(/^\d{3}[ -]?/gm, '')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim();
  return cutText(words, REASON_LENGTH_MAX);
}
