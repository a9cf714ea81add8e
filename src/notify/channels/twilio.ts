/** Sends text messages through Twilio, one per phone number. */
import { z } from 'zod';
import { cutText } from '../../domain/text/cut-text';
import { parseHost } from '../../domain/text/parse-host';
import type { AlertWords } from '../words';
import { appendPath, buildFormPost, type ChannelMessage, defineChannel, fitLines } from './channel';
import { apiUrl, createApiUrlField, tokenText } from './fields';

const NUMBERS_MAX = 20;
/** Maximum length of a message: two segments (GSM 03.38). There is a limit because each segment costs money. */
const TEXT_MAX = 306;
/** The text may have at least this length, even if the link is very long. */
const TEXT_MIN = 120;
/** Maximum length of a message of one segment. */
const SEGMENT_MAX = 160;
/** Names of the facts that a message contains: when the problem began, or what a warning or test is about. */
const FACTS = ['Since', 'Expires', 'Expired', 'Status'];
/** Names of further facts. A message contains them only if it needs no additional segment for them. */
const EXTRA_FACTS = ['Regions'];
/**
 * Characters outside of the GSM alphabet, with their replacements. A single one of these characters would halve the
 * length of a segment.
 */
const GSM_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/→/g, '->'],
  [/…/g, '...'],
  [/[“”„«»]/g, '"'],
  [/[‘’‚`´]/g, "'"],
  [/[–—−]/g, '-'],
  [/[·•]/g, '-'],
  [/[\u00a0\u202f\u2009\t]/g, ' '],
  [/\u200b/g, ''],
];
const API = 'https://api.twilio.com';

const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{4,14}$/, 'must be a phone number such as +4915112345678');

export const twilio = defineChannel({
  type: 'twilio',
  label: 'SMS (Twilio)',
  about: 'Account SID and auth token of the Twilio console.',
  fields: {
    accountSid: z
      .string()
      .regex(/^AC[0-9a-fA-F]{32}$/, 'must begin with AC and have 34 characters'),
    authToken: tokenText,
    from: z
      .string()
      .max(50)
      .regex(
        /^(?:\+[1-9]\d{4,14}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{1,11})$/,
        'must be a phone number, a messaging service (MG…) or a name of up to 11 letters and digits',
      ),
    to: z.array(phoneNumber).min(1).max(NUMBERS_MAX),
    apiUrl,
  },
  form: {
    accountSid: { kind: 'text', label: 'Account SID' },
    authToken: { kind: 'secret', label: 'Auth token' },
    from: { kind: 'text', label: 'From', hint: 'A number, a messaging service or a name.' },
    to: { kind: 'list', label: 'Phone numbers', hint: 'Like +4915112345678. Each gets a message.' },
    apiUrl: createApiUrlField(API),
  },
  splitBy: 'to',
  requests: ({ accountSid, authToken, from, to, apiUrl: base }, message) => {
    const account = `/2010-04-01/Accounts/${accountSid}/Messages.json`;
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    const body = buildBody(message);
    return to.map((number) =>
      buildFormPost(
        appendPath(base ?? API, account),
        {
          To: number,
          ...(from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }),
          Body: body,
        },
        { Authorization: `Basic ${credentials}` },
      ),
    );
  },
});

/** Builds the text: title, time and link. A text from a template is sent unchanged, up to the same length. */
function buildBody(message: ChannelMessage): string {
  const { isCustom, title, text, alert, words } = message;
  const { link } = words;
  const room = Math.max(TEXT_MIN, TEXT_MAX - link.url.length - 1);
  if (isCustom) return `${fitLines([title, text].join('\n'), room)}\n${link.url}`;
  const tail = listLines(message).map(toGsm).join('\n');
  const isList = alert.kind === 'digest' && alert.only === undefined;
  const first = cutText(toGsm(title), isList ? room - 2 : room - tail.length - 4, '...');
  const body = fitSms([first, tail].join('\n').trimEnd(), room - 2);
  return `${withExtras(body, { alert, words })}\n${link.url}`;
}

/** Lists the lines below the title. The length in `Since` is left out, to leave space for the regions. */
function listLines({ alert, words: { facts } }: ChannelMessage): readonly string[] {
  const own = alert.only ?? alert;
  if (own.kind === 'recovery') return writeSpan(facts);
  if (own.kind === 'digest') return facts.map(({ name, value }) => `${name}: ${value}`);
  return facts
    .filter(({ name }) => FACTS.includes(name))
    .map(({ name, value }) => `${name}: ${value.replace(/ \(.+ ago\)$/, '')}`);
}

/** Writes a line like `Down from 2026-01-05 12:00:00 to 12:12:00 UTC`. The second date is left out on the same day. */
function writeSpan(facts: AlertWords['facts']): readonly string[] {
  const [from, until] = [/ from$/, / until$/].map((end) =>
    facts.find(({ name }) => end.test(name)),
  );
  if (from === undefined || until === undefined) return [];
  const day = from.value.slice(0, from.value.indexOf(' ') + 1);
  const end = until.value.startsWith(day) ? until.value.slice(day.length) : until.value;
  return [`${from.name} ${from.value.replace(/ UTC$/, '')} to ${end}`];
}

/** Adds the regions and the host of the request, but only if the message needs no additional segment for them. */
function withExtras(
  body: string,
  { alert, words: { facts, link } }: Pick<ChannelMessage, 'alert' | 'words'>,
): string {
  const host = parseHost((alert.only ?? alert).exchange?.url ?? '');
  const isNamed = host === null || body.includes(host);
  const extras = [
    ...facts
      .filter(({ name }) => EXTRA_FACTS.includes(name))
      .map(({ name, value }) => `${name}: ${value}`),
    ...(isNamed ? [] : [`Host: ${host}`]),
  ].map(toGsm);
  const end = link.url.length + 1;
  const segmentMax = body.length + end <= SEGMENT_MAX ? SEGMENT_MAX : TEXT_MAX;
  return extras.reduce((text, line) => {
    const isFitting = text.length + 1 + line.length + end <= segmentMax;
    return isFitting ? `${text}\n${line}` : text;
  }, body);
}

/** Keeps as many whole lines as fit. */
function fitSms(text: string, max: number): string {
  return fitLines(text, max).replaceAll('…', '...');
}

function toGsm(text: string): string {
  return GSM_TEXTS.reduce((result, [from, to]) => result.replaceAll(from, to), text);
}
