/** Parses and formats durations for users. */
import { formatMilliseconds } from '../domain/text/figures';
import { usageError } from './cli-error';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Parses `90s`, `30m`, `2h`, `1d`, or plain seconds. Returns milliseconds. Throws a usage error for any other text. */
export function parseDuration(text: string): number {
  const [, amount = '', unit = 's'] = /^(\d{1,7})([smhd])?$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (amount !== '' && unitMs !== undefined) return Number(amount) * unitMs;
  throw usageError(`${text} is not a duration.`, 'Write it like 90s, 30m, 2h or 1d.');
}

/** Formats the distance to now, like `3 min ago`, or `in 12 s` for an instant in the future. A dash means never. */
export function formatAgo(instant: string | null | undefined, nowMs: number): string {
  if (instant === null || instant === undefined) return '–';
  const seconds = Math.round((nowMs - Date.parse(instant)) / 1_000);
  if (seconds < 0) return `in ${formatSeconds(-seconds)}`;
  return `${formatSeconds(seconds)} ago`;
}

export function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

export function formatMs(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '–' : formatMilliseconds(ms);
}
