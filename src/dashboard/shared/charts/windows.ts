/** The windows of uptime that pages offer, as words, and as parts of the query. Pure. */
import { withQuery } from '../data/with-query';
import { type Span, searchOf, spanOf } from './zoom';

export const WINDOWS = ['1h', '24h', '7d', '30d'] as const;
type UptimeWindow = (typeof WINDOWS)[number];

export const WINDOW_WORDS: Readonly<Record<UptimeWindow, string>> = {
  '1h': '1 h',
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
};

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The window that an address names, else the smallest one that holds all there is, at most a day. */
export function windowOf(text: string | undefined, age: { readonly ms: number }): UptimeWindow {
  return WINDOWS.find((window) => window === text) ?? (age.ms < HOUR_MS ? '1h' : '24h');
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** `collecting since 23:56` for a window that began before there was anything; else null. */
export function collectingText(from: string, createdAt: string): string | null {
  const created = new Date(createdAt);
  if (created.getTime() <= Date.parse(from)) return null;
  const isToday = Date.now() - created.getTime() < 24 * HOUR_MS;
  return `collecting since ${(isToday ? CLOCK : DATE).format(created)}`;
}

interface UptimeQuery {
  readonly window: UptimeWindow;
  readonly region?: string;
  readonly nowMs: number;
  /** In place of the window. */
  readonly span?: Span | null;
}

/** What the page of a check shows by its address. */
export function shownBy(
  search: Readonly<Record<string, string>>,
  { createdAt, nowMs }: { readonly createdAt: string; readonly nowMs: number },
) {
  const window = windowOf(search['window'], { ms: nowMs - Date.parse(createdAt) });
  return { window, nowMs, span: spanOf(search) };
}

/** The last hour is a range of its own that begins on a full minute, so that its path stays for a minute. */
export function uptimePath(path: string, { window, region, nowMs, span }: UptimeQuery): string {
  if (span !== undefined && span !== null) return withQuery(path, { ...searchOf(span), region });
  if (window !== '1h') return withQuery(path, { window, region });
  const fromMs = Math.floor((nowMs - HOUR_MS) / MINUTE_MS) * MINUTE_MS;
  return withQuery(path, { from: new Date(fromMs).toISOString(), region });
}

/** Lengths between marks of a time axis, and the longest window that each is for. */
const MARK_STEPS = [
  { upToMs: 2 * HOUR_MS, stepMs: 10 * MINUTE_MS },
  { upToMs: 30 * HOUR_MS, stepMs: 4 * HOUR_MS },
  { upToMs: 8 * 24 * HOUR_MS, stepMs: 24 * HOUR_MS },
] as const;
const LONGEST_STEP_MS = 5 * 24 * HOUR_MS;

/** Marks on round times of the zone that is `offsetMs` ahead of UTC. */
export function marksOf(fromMs: number, toMs: number, offsetMs: number): readonly number[] {
  const fitting = MARK_STEPS.find(({ upToMs }) => toMs - fromMs <= upToMs);
  const stepMs = fitting?.stepMs ?? LONGEST_STEP_MS;
  const marks: number[] = [];
  const first = Math.ceil((fromMs + offsetMs) / stepMs) * stepMs - offsetMs;
  for (let at = first; at <= toMs; at += stepMs) marks.push(at);
  return marks;
}
