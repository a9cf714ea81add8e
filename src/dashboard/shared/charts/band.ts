/**
 * Prepares a chart of response times: a band for a window, the times of the previous window, and marks of events. Pure.
 */
import type { Uptime } from '../data/api-types';
import { formatDuration } from '../text/time-text';
import type { Shade } from './latency';

type Bucket = Uptime['buckets'][number];

export interface BandRow {
  readonly fromMs: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  /** The p95 at the same time one window earlier. */
  readonly before: number | null;
}

/**
 * The minimum share of rows that have a value from one window earlier. With fewer values, the line would show nothing
 * useful.
 */
const BEFORE_SHARE_MIN = 0.1;

/**
 * Returns one row per bucket. `before` is the p95 of the same bucket one window earlier. It is null in all rows if the
 * earlier window has hardly any values.
 */
export function bandRows(
  buckets: readonly Bucket[],
  earlier: readonly Bucket[],
  windowMs: number,
): readonly BandRow[] {
  let at = 0;
  const rows = buckets.map(({ from, to, responseTimeMs: { p50, p95, p99 } }) => {
    const fromMs = Date.parse(from);
    const middleMs = (fromMs + Date.parse(to)) / 2 - windowMs;
    while (at < earlier.length && Date.parse(earlier[at]?.to ?? '') <= middleMs) at += 1;
    const bucket = earlier[at];
    const isSame = bucket !== undefined && Date.parse(bucket.from) <= middleMs;
    return { fromMs, p50, p95, p99, before: isSame ? bucket.responseTimeMs.p95 : null };
  });
  const found = rows.filter(({ before }) => before !== null).length;
  return found < BEFORE_SHARE_MIN * rows.length
    ? rows.map((row) => ({ ...row, before: null }))
    : rows;
}

/** Returns the rows whose neighbours have no value. A line needs two rows, so the chart draws these rows as points. */
export function findIsolatedRows(rows: readonly BandRow[]): ReadonlySet<number> {
  const isEmpty = (at: number): boolean => (rows[at]?.p95 ?? null) === null;
  const alone = [...rows.keys()].filter((at) => !isEmpty(at) && isEmpty(at - 1) && isEmpty(at + 1));
  return new Set(alone);
}

export const BAND_COLUMNS = ['p50', 'p95', 'p99', 'p95 before'] as const;

/** Returns the rows in the form of a table. */
export function bandTable(rows: readonly BandRow[]) {
  return rows.map(({ fromMs, p50, p95, p99, before }) => ({
    fromMs,
    values: [p50, p95, p99, before],
  }));
}

/** Lists the lines for the legend. Leaves out p99 if it equals p95 everywhere, because the line is then not visible. */
export function listLines(rows: readonly BandRow[]) {
  return [
    { kind: 'band', words: 'p50 to p95' },
    ...(rows.some(({ p95, p99 }) => p95 !== p99) ? [{ kind: 'p99', words: 'p99' }] : []),
    ...(rows.some(({ before }) => before !== null)
      ? [{ kind: 'before', words: 'p95, period before' }]
      : []),
  ];
}

const MARK_KINDS = ['incident', 'edit', 'maintenance', 'run'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** An event at one instant, which the chart marks. */
export interface Mark {
  readonly id: string;
  readonly kind: MarkKind;
  readonly atMs: number;
  readonly text: string;
  /** The page with more details; null if there is none. */
  readonly to: string | null;
}

/** Returns a mark at the start of each shaded span of maintenance. */
export function maintenanceMarks(shades: readonly Shade[]): readonly Mark[] {
  return shades
    .filter(({ kind }) => kind === 'maintenance')
    .map(({ fromMs, seconds }) => ({
      id: `maintenance ${fromMs}`,
      kind: 'maintenance',
      atMs: fromMs,
      text: `for ${formatDuration(seconds)}`,
      to: '/maintenance',
    }));
}

/** Returns the marks inside the window, oldest first. */
export function marksWithin(marks: readonly Mark[], fromMs: number, toMs: number): readonly Mark[] {
  return marks
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    .toSorted((a, b) => a.atMs - b.atMs);
}

const COUNT_WORDS: Readonly<Record<MarkKind, readonly [string, string]>> = {
  incident: ['outage', 'outages'],
  edit: ['edit', 'edits'],
  maintenance: ['maintenance', 'maintenances'],
  run: ['run with a commit', 'runs with a commit'],
};

/** Counts the marks by kind, like `2 outages, 1 edit`. */
export function countMarks(marks: readonly Pick<Mark, 'kind'>[]): string {
  const parts = MARK_KINDS.map((kind) => {
    const count = marks.filter((mark) => mark.kind === kind).length;
    return count === 0 ? '' : `${count} ${COUNT_WORDS[kind][count === 1 ? 0 : 1]}`;
  });
  return parts.filter((part) => part !== '').join(', ');
}
