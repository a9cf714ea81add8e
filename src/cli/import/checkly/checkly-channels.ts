/**
 * Imports alert channels and maintenance windows of Checkly. If a channel sends only failures or only recoveries there,
 * `onlyKinds` limits the imported channel in the same way.
 */
import { type ReadChannel, readChannel } from '../channel-source';
import { formatPlaceholder } from '../environment-placeholders';
import type { Fields } from '../imported';
import type { Construct } from './checkly-language';

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, string>> = { DAY: 'DAILY', WEEK: 'WEEKLY', MONTH: 'MONTHLY' };
const WEBHOOK_FIELDS: readonly string[] = ['method', 'headers', 'queryParameters', 'template'];
/** Fields that are read separately: the fields of all channel types, and the fields of a webhook's payload. */
const READ_APART: readonly string[] = [
  ...WEBHOOK_FIELDS,
  'name',
  'sendFailure',
  'sendRecovery',
  'sendDegraded',
  'sslExpiry',
  'sslExpiryThreshold',
];

/** Matches a URL with only a host and plain words. Such a URL contains no secret. */
const PLAIN_URL = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[a-z]{1,16}(?:-[a-z]{1,16})*)*\/?$/;

/** The functions that read channels, by the type in Checkly. */
const READERS: Readonly<Record<string, ReadChannel>> = {
  EmailAlertChannel: ({ required }) => ({ type: 'email', emails: [required('address')] }),
  SlackAlertChannel: ({ address }) => ({
    type: 'slack',
    webhookUrl: address('url', 'WEBHOOK_URL'),
  }),
  WebhookAlertChannel: ({ address, required, text }) => ({
    type: 'webhook',
    url: PLAIN_URL.test(text('url') ?? '') ? required('url') : address('url', 'WEBHOOK_URL'),
  }),
  PagerdutyAlertChannel: ({ secret }) => ({
    type: 'pagerduty',
    routingKey: secret('serviceKey', 'ROUTING_KEY'),
  }),
  OpsgenieAlertChannel: ({ secret, text }) => ({
    type: 'jira',
    apiKey: secret('apiKey', 'API_KEY'),
    site: text('region') === 'EU' ? 'opsgenie-eu' : 'opsgenie',
  }),
};

export function isChannel(kind: string): boolean {
  return Object.hasOwn(READERS, kind);
}

/** Converts a channel. Returns null if a required field is missing or unreadable. A note names the field. */
export function importChannel(
  { kind, id, fields }: Construct,
  { key, note: warn }: { readonly key: string; readonly note: (message: string) => void },
): Fields | null {
  const read = READERS[kind];
  if (read === undefined) return null;
  const note = (message: string): void => warn(`${id} ${message}`);
  const { name } = fields;
  const config = Object.fromEntries(
    Object.entries(fields).filter(([field]) => !READ_APART.includes(field)),
  );
  const channel = readChannel(read, { config, path: id, key, note, variable: formatPlaceholder });
  if (channel === null) return null;
  if (WEBHOOK_FIELDS.some((field) => field in fields))
    note('has its own payload; webhooks here send signed JSON (docs/webhooks.md)');
  return { key, name: typeof name === 'string' ? name : id, ...channel, ...importKinds(fields) };
}

/**
 * Returns `onlyKinds`, the kinds of alerts that the channel sends in Checkly. Empty if the channel sends both failures
 * and recoveries, or nothing.
 */
function importKinds({ sendFailure, sendRecovery, sendDegraded, sslExpiry }: Fields): Fields {
  if (sendFailure !== false && sendRecovery !== false) return {};
  const onlyKinds = [
    ...(sendFailure === false ? [] : ['failure', 'reminder', 'flapping']),
    ...(sendRecovery === false ? [] : ['recovery']),
    ...(sendDegraded === true ? ['degraded'] : []),
    ...(sslExpiry === true ? ['certificate'] : []),
  ];
  return onlyKinds.length === 0 ? {} : { onlyKinds };
}

/** Converts a maintenance window. Returns null if its times cannot be read. */
export function importWindow({ id, fields }: Construct, key: string): Fields | null {
  const { name, tags, startsAt, endsAt, repeatUnit, repeatInterval, repeatEndsAt } = fields;
  const [startMs, endMs] = [readInstant(startsAt), readInstant(endsAt)];
  if (startMs === null || endMs === null || endMs <= startMs) return null;
  const unit = UNITS[String(repeatUnit)];
  const untilMs = readInstant(repeatEndsAt);
  const until = untilMs === null ? '' : `;UNTIL=${basicTime(untilMs)}`;
  const names = Array.isArray(tags) && tags.length > 0 ? { tags } : { all: true };
  return {
    key,
    name: typeof name === 'string' ? name : id,
    mode: 'pause',
    startsAt: new Date(startMs).toISOString(),
    durationMinutes: Math.max(1, Math.round((endMs - startMs) / MINUTE_MS)),
    timeZone: 'UTC',
    ...(unit !== undefined && {
      rrule: `FREQ=${unit};INTERVAL=${Number(repeatInterval ?? 1)}${until}`,
    }),
    target: names,
  };
}

function readInstant(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const ms = new Date(value).getTime();
  return Number.isNaN(ms) ? null : ms;
}

/** Formats a time as recurrence rules do. */
function basicTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/** Checkly's default number of days before a certificate expires. */
const EXPIRY_DAYS = 30;

/** Returns the certificate warnings of checks, if one of their channels has `sslExpiry`. */
export function importExpiryWarnings(channels: readonly Fields[]): Fields {
  const wanted = channels.filter(({ sslExpiry }) => sslExpiry === true);
  if (wanted.length === 0) return {};
  const days = wanted.map(({ sslExpiryThreshold }) => Number(sslExpiryThreshold ?? EXPIRY_DAYS));
  const known = days.filter((each) => Number.isInteger(each) && each >= 1 && each <= 365);
  return { tls: { warnDays: [...new Set(known)].slice(0, 10) } };
}
