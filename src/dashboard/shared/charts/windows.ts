/** The windows of uptime that pages offer, in words and as query parameters. Pure. */
import type { Uptime } from '../data/api-types';
import { withQuery } from '../data/with-query';
import { buildSearch, readSpan, type Span } from './zoom';

const WINDOWS = ['1h', '24h', '7d', '30d', '90d'] as const;
export type UptimeWindow = (typeof WINDOWS)[number];

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Returns the window that the URL names. The default is 24 hours, or an hour for checks that are less than an hour old.
 */
export function readWindow(text: string | undefined, age: { readonly ms: number }): UptimeWindow {
  return WINDOWS.find((window) => window === text) ?? (age.ms < HOUR_MS ? '1h' : '24h');
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

const SPAN_END = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Formats a zoomed span, like `Uptime, 5 Mar, 19:15–20:15`. */
export function spanText({ fromMs, toMs }: Span): string {
  return `Uptime, ${SPAN_END.formatRange(fromMs, toMs)}`;
}

/** Formats the start, like `19:15` if it is less than a day ago, and otherwise like `5 Mar`. */
function sinceText(at: string, nowMs: number): string {
  const created = new Date(at);
  const isToday = nowMs - created.getTime() < 24 * HOUR_MS;
  return (isToday ? CLOCK : DATE).format(created);
}

/**
 * How often the figures of a window are read again. All other figures of the page end at the same time as this window,
 * so they are read again, too.
 */
const EVERY_MS = { short: 75_000, long: 300_000 } as const;

export function chooseEveryMs(window: UptimeWindow): number {
  return window === '1h' ? EVERY_MS.short : EVERY_MS.long;
}

interface UptimeQuery {
  readonly window: UptimeWindow;
  readonly region?: string;
  /** A zoomed span. If set, it replaces the window. */
  readonly span?: Span | null;
  /** The end of the window. By default, the window ends now. */
  readonly to?: string | undefined;
}

/** Returns the window and the span that the page's URL names. */
export function readShownWindow(
  search: Readonly<Record<string, string>>,
  { createdAt, nowMs }: { readonly createdAt: string; readonly nowMs: number },
) {
  const window = readWindow(search['window'], { ms: nowMs - Date.parse(createdAt) });
  return { window, span: readSpan(search) };
}

export function uptimePath(path: string, { window, region, span, to }: UptimeQuery): string {
  if (span !== undefined && span !== null) return withQuery(path, { ...buildSearch(span), region });
  return withQuery(path, { window, to, region });
}

interface OpenOutage {
  /** When the outage began; null if the check is not down. */
  readonly downSince: string | null;
  readonly nowMs: number;
}

/**
 * Extends the open outage from the end of the window to now, so that its length equals the length on the rest of the
 * page.
 */
export function extendOutage(uptime: Uptime, { downSince, nowMs }: OpenOutage): Uptime {
  if (downSince === null) return uptime;
  const { incidents, from, to } = uptime;
  const sinceMs = Date.parse(downSince);
  const secondsSince = (...startsMs: readonly number[]): number =>
    Math.max(0, nowMs - Math.max(...startsMs)) / 1_000;
  return {
    ...uptime,
    incidents: {
      ...incidents,
      downSeconds: incidents.downSeconds + secondsSince(sinceMs, Date.parse(to)),
      longestSeconds:
        incidents.longestSeconds &&
        Math.max(incidents.longestSeconds, secondsSince(sinceMs, Date.parse(from))),
    },
  };
}

const TILES = [
  { window: '1h', label: 'Uptime, 1 hour', hours: 1 },
  { window: '24h', label: 'Uptime, 24 hours', hours: 24 },
  { window: '7d', label: 'Uptime, 7 days', hours: 168 },
  { window: '30d', label: 'Uptime, 30 days', hours: 720 },
  { window: '90d', label: 'Uptime, 90 days', hours: 2160 },
] as const;

export interface WindowTile {
  readonly window: UptimeWindow;
  readonly label: string;
  /** The windows that show the same figures as this tile, including its own. */
  readonly covers: readonly UptimeWindow[];
}

/**
 * Returns the tiles from which the user selects the window. Windows that are longer than the age of the check have the
 * same figures, so they share one tile, which shows when the check was created. The tile selects the shortest of these
 * windows.
 */
export function windowTiles(createdAt: string, nowMs: number): readonly WindowTile[] {
  const ageMs = nowMs - Date.parse(createdAt);
  const shorter = TILES.filter(({ hours }) => hours * HOUR_MS < ageMs);
  const tiles = shorter.map(({ window, label }) => ({ window, label, covers: [window] }));
  const covers = TILES.slice(shorter.length).map(({ window }) => window);
  const [window] = covers;
  if (window === undefined) return tiles;
  return [...tiles, { window, label: `Uptime since ${sinceText(createdAt, nowMs)}`, covers }];
}

/** The possible distances between the marks of a time axis: round numbers that are easy to read. */
const MARK_STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 7, 14, 28].map((days) => days * 24 * HOUR_MS),
];
const MARKS_MAX = 7;

/** Returns about six marks at round local times. `offsetMs` is the difference between local time and UTC. */
export function computeMarks(fromMs: number, toMs: number, offsetMs: number): readonly number[] {
  const lengthMs = toMs - fromMs;
  const stepMs = MARK_STEPS_MS.find((step) => lengthMs <= MARKS_MAX * step) ?? lengthMs;
  const marks: number[] = [];
  const first = Math.ceil((fromMs + offsetMs) / stepMs) * stepMs - offsetMs;
  for (let at = first; at <= toMs; at += stepMs) marks.push(at);
  return marks;
}

/** Formats a mark like `16:00`, or like `5 Mar` at midnight, so that an axis over several days shows where days begin. */
export function markText(atMs: number): string {
  const at = new Date(atMs);
  return (at.getHours() === 0 && at.getMinutes() === 0 ? DATE : CLOCK).format(at);
}
