/** Times and durations as text, in the browser's time zone. */
import { formatMilliseconds, formatPercent } from '../../../domain/text/figures';

export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const TO_THE_MINUTE = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const TO_THE_SECOND = { ...TO_THE_MINUTE, second: '2-digit' } as const;
const WITHOUT_ZONE = new Intl.DateTimeFormat('en-GB', TO_THE_SECOND);
/** Formats an instant like `29 Nov 2026, 16:05:09 CET`. */
export const ABSOLUTE = new Intl.DateTimeFormat('en-GB', {
  ...TO_THE_SECOND,
  timeZoneName: 'short',
});
/** Formats an instant like `29 Nov 2026, 16:05 CET`. */
export const PLANNED = new Intl.DateTimeFormat('en-GB', {
  ...TO_THE_MINUTE,
  timeZoneName: 'short',
});
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const CLOCK_SECONDS = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const CALENDAR_DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

export function absolute(at: string): string {
  return `${WITHOUT_ZONE.format(new Date(at))} (${ZONE})`;
}

export function clockTime(at: string): string {
  return CLOCK.format(new Date(at));
}

/** Formats the time of day, for example `16:05:09`. */
export function clockSeconds(at: string): string {
  return CLOCK_SECONDS.format(new Date(at));
}

/** Formats the day, for example `Sunday 29 Nov 2026`. */
export function calendarDay(at: string): string {
  return CALENDAR_DAY.format(new Date(at)).replace(',', '');
}

export function shortDay(at: string): string {
  return DAY.format(new Date(at));
}

/** Formats a time to the minute, for example `7 Nov, 00:56`, with the year unless it is this year. */
export function shortMoment(at: string, nowMs: number): string {
  const year = new Date(at).getFullYear();
  const isThisYear = year === new Date(nowMs).getFullYear();
  return `${shortDay(at)}${isThisYear ? '' : ` ${year}`}, ${clockTime(at)}`;
}

/** Formats a time like `35 min ago` or `in 2 days`. `ms` counts from now and is negative for the past. */
export function relative(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds === 0) return 'now';
  const length = roughLength(Math.abs(seconds));
  return seconds < 0 ? `${length} ago` : `in ${length}`;
}

/**
 * Formats the time until the next check, for example `next in 12 s` or `due now`. `ms` counts from now and is negative
 * for the past.
 */
export function nextWords(ms: number): string {
  return Math.round(ms / 1000) <= 0 ? 'due now' : `next ${relative(ms)}`;
}

/** Formats the length in its largest unit, rounded down. From 48 hours on, the unit is days. */
function roughLength(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.trunc(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.trunc(seconds / 3_600)} h`;
  return `${Math.trunc(seconds / 86_400)} days`;
}

/** Formats a duration with its two largest units, like `1 h 5 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [
    [Math.trunc(whole / 86_400), 'd'],
    [Math.trunc((whole % 86_400) / 3_600), 'h'],
    [Math.trunc((whole % 3_600) / 60), 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** Formats an interval as people say it, like `5 minutes`. */
export function everyWords(seconds: number): string {
  for (const [size, word] of [
    [604_800, 'week'],
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const) {
    if (seconds % size !== 0) continue;
    const count = seconds / size;
    return count === 1 ? `every ${word}` : `every ${count} ${word}s`;
  }
  return `every ${seconds} seconds`;
}

/** Formats an interval for the start of a line, like `Every 5 minutes`. */
export function everyTitle(seconds: number): string {
  const words = everyWords(seconds);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

export function milliseconds(ms: number | null): string {
  return ms === null ? '–' : formatMilliseconds(ms);
}

export function percent(value: number | null): string {
  return value === null ? '–' : formatPercent(value);
}

/** Formats the time since the instant, like `27 min`. Seconds are shown only below a minute. */
export function lengthSince(at: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(at)) / 1_000);
  return formatDuration(seconds < 60 ? seconds : Math.floor(seconds / 60) * 60);
}
