/** Words, times and shares as status pages, their feeds and badges write them. All times are UTC. */
import type { PublicState } from '../../services/status-pages/public-status';
import { escapeHtml } from './escape-html';

export const STATE_WORDS: Readonly<Record<PublicState, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance',
  unknown: 'Unknown',
};

export const OVERALL_WORDS: Readonly<Record<PublicState, string>> = {
  up: 'All systems operational',
  degraded: 'Degraded performance',
  down: 'Partial outage',
  maintenance: 'Maintenance in progress',
  unknown: 'No data yet',
};

const DATE = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' } as const;
const CLOCK = { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' } as const;
const MONTH = { timeZone: 'UTC', month: 'long', year: 'numeric' } as const;
const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', DATE);
const CLOCK_FORMAT = new Intl.DateTimeFormat('en-GB', CLOCK);
const TIME_FORMAT = new Intl.DateTimeFormat('en-GB', { ...DATE, ...CLOCK });
const MONTH_FORMAT = new Intl.DateTimeFormat('en-GB', MONTH);

/** Set apart, so that letters of another direction do not turn what is around them. */
export function people(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** `5 Jan 2026, 12:00 to 12:30`; the day is said once when both are on it. */
export function timeSpan(fromMs: number, toMs: number): string {
  const isOneDay = dayText(fromMs) === dayText(toMs);
  return `${timeText(fromMs)} to ${timeElement(toMs, isOneDay ? CLOCK_FORMAT : TIME_FORMAT)}`;
}

export function timeText(atMs: number): string {
  return timeElement(atMs, TIME_FORMAT);
}

function timeElement(atMs: number, format: Intl.DateTimeFormat): string {
  return `<time datetime="${new Date(atMs).toISOString()}">${format.format(atMs)}</time>`;
}

export function monthText(atMs: number): string {
  return MONTH_FORMAT.format(atMs);
}

export function dayText(atMs: number): string {
  return DAY_FORMAT.format(atMs);
}

export function lengthText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
