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

const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** Set apart, so that letters of another direction do not turn what is around them. */
export function people(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

export function timeSpan(fromMs: number, toMs: number): string {
  return `${timeText(fromMs)} to ${timeText(toMs)}`;
}

export function timeText(atMs: number): string {
  const instant = new Date(atMs).toISOString();
  return `<time datetime="${instant}">${instant.slice(0, 16).replace('T', ' ')}</time>`;
}

export function dayText(atMs: number): string {
  return DAY.format(atMs);
}

/** Never rounded up to 100 while something was down. */
export function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 1_000}%`;
}

export function lengthText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
