/**
 * Alerts by mail, HTML and plain text. One recipient per message; the Message-ID stays the same over
 * all tries, and the messages of one incident hang together by References.
 */
import type { SendMailOptions } from 'nodemailer';
import type { AlertMessage, DeliveryOutcome } from '../contracts/alerts';
import { cutText, toWellFormed } from '../domain/text/cut-text';
import type { Logger } from '../platform/logger';
import type { TextSealer } from '../platform/sealing';
import { type AcknowledgeLink, acknowledgeUrl } from './acknowledge-link';
import type { ChannelMessage } from './channels/channel';
import { createMailTransport, type MailServer, unreachableSentence } from './mail-transport';
import type { SendMail } from './sender';
import type { AlertWords } from './words';

export interface MailSettings {
  /** null: no mail server is set, and every delivery says so. */
  readonly server: MailServer | null;
  readonly from: string;
  readonly publicUrl: string;
  /** What the operator is to know of the mail server. */
  readonly logger?: Pick<Logger, 'warn'> | undefined;
  /** Seals the links by which recipients acknowledge incidents. */
  readonly sealer: Pick<TextSealer, 'seal'>;
}

const SUBJECT_MAX = 180;
/** Mail clients cut a message at about 100 kB. */
const FACTS_MAX = 200;

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
      const sent = await transport.sendMail(messageOf(email, message, settings));
      warn(null);
      return { kind: 'sent', detail: cutText(String(sent.response ?? 'accepted'), 200) };
    } catch (error) {
      const outcome = outcomeOfError(error, server);
      if (isOperators(error, outcome)) warn(outcome.detail);
      return outcome;
    }
  };
}

/** A warning when the server begins to refuse us or does so in other words, not one for each try. */
function warnOnce(logger: MailSettings['logger']): (detail: string | null) => void {
  let lastDetail: string | null = null;
  return (detail) => {
    if (detail !== null && detail !== lastDetail)
      logger?.warn({ detail }, 'the mail server refuses Keepwatch; check SMTP_URL and MAIL_FROM');
    lastDetail = detail;
  };
}

/** A refusal before recipient and message are judged: whoever runs the service can mend it, nobody else. */
function isOperators(error: unknown, { kind }: DeliveryOutcome): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  return kind === 'later' && code >= 500;
}

export function messageOf(
  email: string,
  { id, alert, words: all, isCustom, title, text }: ChannelMessage,
  { from, publicUrl, sealer }: MailSettings,
): SendMailOptions {
  const words = isCustom ? { ...all, headline: title } : withoutRest(all);
  const own = isCustom ? text : null;
  const acknowledging = acknowledgeLinkOf(alert, { email, deliveryId: id });
  const more =
    acknowledging === null
      ? []
      : [{ label: 'Acknowledge', url: acknowledgeUrl(sealer, publicUrl, acknowledging) }];
  const domain = new URL(publicUrl).hostname;
  const thread = alert.incidentId === null ? [] : [`<${alert.incidentId}@${domain}>`];
  return {
    from,
    // An object, so that no part of an address is read as a list of addresses.
    to: { name: '', address: email },
    subject: cutText(words.headline, SUBJECT_MAX),
    messageId: `<${id}@${domain}>`,
    ...(thread.length > 0 && { inReplyTo: thread[0], references: thread }),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    text: toWellFormed(plainText(words, own, more)),
    html: toWellFormed(htmlOf(words, own, more)),
  };
}

/** null: there is nothing that anybody could acknowledge. */
function acknowledgeLinkOf(
  { kind, accountId, incidentId }: AlertMessage,
  to: Pick<AcknowledgeLink, 'email' | 'deliveryId'>,
): AcknowledgeLink | null {
  const isOpen = kind === 'failure' || kind === 'reminder' || kind === 'flapping';
  return isOpen && incidentId !== null ? { accountId, incidentId, ...to } : null;
}

function withoutRest(words: AlertWords): AlertWords {
  const hidden = words.facts.length - FACTS_MAX;
  if (hidden <= 0) return words;
  const more = { name: 'More', value: `${hidden} further ones` };
  return { ...words, facts: [...words.facts.slice(0, FACTS_MAX), more] };
}

type Link = AlertWords['link'];

/** `own`: text that stands instead of the facts; `more`: links beside that of the alert. */
export function plainText(
  { headline, facts, link }: AlertWords,
  own: string | null = null,
  more: readonly Link[] = [],
): string {
  const links = [link, ...more].map(({ label, url }) => `${label}: ${url}`);
  if (own !== null) return [headline, '', own, '', ...links, ''].join('\n');
  const width = Math.max(0, ...facts.map(({ name }) => Math.min(name.length, 24)));
  const lines = facts.map(({ name, value }) => `${`${name}:`.padEnd(width + 2)}${value}`);
  return [headline, '', ...lines, '', ...links, ''].join('\n');
}

/** Tables and inline styles, since mail clients know little else. */
export function htmlOf(
  { headline, facts, link, tone }: AlertWords,
  own: string | null = null,
  more: readonly Link[] = [],
): string {
  const rows = own === null ? rowsOf(facts) : ownText(own);

  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"></head>' +
    '<body style="margin:0;background:#f1f3f5;font-family:Helvetica,Arial,sans-serif;font-size:15px">' +
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">' +
    '<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;width:100%;background:#ffffff;border-radius:8px;overflow:hidden">' +
    `<tr><td style="height:6px;background:${COLOURS[tone]}"></td></tr>` +
    `<tr><td style="padding:24px"><h1 style="margin:0 0 16px;font-size:20px;color:#1a1b1e">${escapeHtml(headline)}</h1>` +
    `<table role="presentation" cellpadding="0" cellspacing="0" style="font-size:15px">${rows}</table>` +
    [link, ...more].map(buttonOf).join('') +
    '</td></tr></table>' +
    '<p style="color:#868e96;font-size:13px">You receive this because you’re on an alert rule in Keepwatch.</p>' +
    '</td></tr></table></body></html>'
  );
}

function buttonOf({ label, url }: Link): string {
  return `<p style="margin:24px 0 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 18px;background:#1c7ed6;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(label)}</a></p>`;
}

function rowsOf(facts: AlertWords['facts']): string {
  return facts
    .map(
      ({ name, value }) =>
        `<tr><td style="padding:4px 16px 4px 0;color:#5c5f66;vertical-align:top;white-space:nowrap">${escapeHtml(name)}</td>` +
        `<td style="padding:4px 0;color:#1a1b1e;word-break:break-word">${escapeHtml(value)}</td></tr>`,
    )
    .join('');
}

/** Line breaks stay. */
function ownText(text: string): string {
  return `<tr><td style="padding:4px 0;color:#1a1b1e;white-space:pre-wrap;word-break:break-word">${escapeHtml(text)}</td></tr>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Failures about this message, whose words are for whoever set up the channel; others are the operator's. */
const OF_MESSAGE = ['EENVELOPE', 'EMESSAGE'];
const REASON_LENGTH_MAX = 200;

/** Where a server judges the recipient and the message; before that, it judges who runs the service. */
const JUDGES_MESSAGE = /^(?:RCPT|DATA)/;

/** A server that refuses the recipient or the message for good (5xx) is not asked again. */
function outcomeOfError(error: unknown, { smtpUrl }: MailServer): DeliveryOutcome {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  const name = error instanceof Error && 'code' in error ? String(error.code) : '';
  const given = error instanceof Error && 'response' in error ? String(error.response) : '';
  const reason = OF_MESSAGE.includes(name) ? reasonIn(given) : '';
  const what = reason === '' ? `${code}. ${name}`.trim() : `${code} (${reason}).`;
  const detail = code > 0 ? `Mail server response: ${what}` : unreachableSentence(error, smtpUrl);
  const command = error instanceof Error && 'command' in error ? String(error.command) : '';
  const isForGood = code >= 500 && code < 600 && JUDGES_MESSAGE.test(command);
  return isForGood ? { kind: 'refused', detail } : { kind: 'later', detail, afterMs: null };
}

/** The words of a reply (RFC 5321 §4.2), without the code that begins each line. */
function reasonIn(reply: string): string {
  const words = reply
    .replaceAll(/^\d{3}[ -]?/gm, '')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim();
  return cutText(words, REASON_LENGTH_MAX);
}
