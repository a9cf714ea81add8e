/** Alert channels and maintenance windows of Checkly. Their counterparts send what ours send. */
import type { Construct } from './checkly-language';
import type { Fields } from './imported';

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, string>> = { DAY: 'DAILY', WEEK: 'WEEKLY', MONTH: 'MONTHLY' };
const WEBHOOK_FIELDS: readonly string[] = ['headers', 'queryParameters', 'template'];

/** null: nothing says where it leads, as the note tells. */
export function channelOf(
  { kind, id, fields }: Construct,
  { key, note }: { readonly key: string; readonly note: (message: string) => void },
): Fields | null {
  noteLosses(id, fields, note);
  const { name: given, address, url } = fields;
  const name = typeof given === 'string' ? given : id;
  if (kind === 'EmailAlertChannel') {
    if (typeof address === 'string') return { key, name, type: 'email', emails: [address] };
  } else if (typeof url === 'string') {
    if (kind === 'SlackAlertChannel') return { key, name, type: 'slack', webhookUrl: url };
    return { key, name, type: 'webhook', url };
  }
  note(`${id} has no readable URL or email address; left out`);
  return null;
}

function noteLosses(id: string, fields: Fields, note: (message: string) => void): void {
  const { sendFailure, sendRecovery } = fields;
  if (sendFailure === false || sendRecovery === false)
    note(`${id} leaves out some alerts; say so under alerts of the monitors`);
  if (WEBHOOK_FIELDS.some((name) => name in fields))
    note(`${id} shapes what it sends; ours send signed JSON, as docs/webhooks.md says`);
}

/** null: its times cannot be read. */
export function windowOf({ id, fields }: Construct, key: string): Fields | null {
  const { name, tags, startsAt, endsAt, repeatUnit, repeatInterval, repeatEndsAt } = fields;
  const [startMs, endMs] = [instantOf(startsAt), instantOf(endsAt)];
  if (startMs === null || endMs === null || endMs <= startMs) return null;
  const unit = UNITS[String(repeatUnit)];
  const untilMs = instantOf(repeatEndsAt);
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

function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const ms = new Date(value).getTime();
  return Number.isNaN(ms) ? null : ms;
}

/** As a recurrence rule writes it. */
function basicTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/** Days before the expiry at which Checkly notifies unless a channel says otherwise. */
const EXPIRY_DAYS = 30;

/** What channels with `sslExpiry` mean for the checks that notify them. */
export function expiryWarnings(channels: readonly Fields[]): Fields {
  const wanted = channels.filter(({ sslExpiry }) => sslExpiry === true);
  if (wanted.length === 0) return {};
  const days = wanted.map(({ sslExpiryThreshold }) => Number(sslExpiryThreshold ?? EXPIRY_DAYS));
  const known = days.filter((each) => Number.isInteger(each) && each >= 1 && each <= 365);
  return { tls: { warnDays: [...new Set(known)].slice(0, 10) } };
}
