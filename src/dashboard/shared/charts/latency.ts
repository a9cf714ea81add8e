/** Turns uptime buckets into lines by region and shaded spans. Pure. */
import type { Uptime } from '../data/api-types';
import type { Counted } from './counted';

export const STATS = ['p50', 'p95', 'p99'] as const;
export type Stat = (typeof STATS)[number];

type Bucket = Uptime['buckets'][number];

/** Returns the statistic that the URL names, or p95. */
export function readStat(text: string | undefined): Stat {
  return STATS.find((stat) => stat === text) ?? 'p95';
}

export interface RegionUptime {
  readonly region: string;
  readonly buckets: readonly Bucket[];
}

export interface LatencyRow {
  readonly fromMs: number;
  /** Values by region, in the order of the lines. null means that nothing was measured. */
  readonly values: readonly (number | null)[];
}

/** Returns one row for each time in any region's buckets, oldest first. */
export function latencyRows(lines: readonly RegionUptime[], stat: Stat): readonly LatencyRow[] {
  const byTime = lines.map(
    ({ buckets }) =>
      new Map(buckets.map((bucket) => [Date.parse(bucket.from), bucket.responseTimeMs[stat]])),
  );
  const times = new Set(byTime.flatMap((values) => [...values.keys()]));
  return [...times]
    .toSorted((left, right) => left - right)
    .map((fromMs) => ({ fromMs, values: byTime.map((values) => values.get(fromMs) ?? null) }));
}

/** Returns the rows, the newest first. Leaves out times at which nothing was measured. */
export function tableRows(rows: readonly LatencyRow[]): readonly LatencyRow[] {
  return rows.filter(({ values }) => values.some((value) => value !== null)).toReversed();
}

/** Returns the text of a chart without lines. Only passing checks have a response time. */
export function emptyWords({ ok, failed }: Uptime['checks'], counted: Counted): string {
  if (ok > 0 || failed === 0) return 'Nothing measured in this window.';
  return `No ${counted} passed in this window, so there are no times to show.`;
}

export const SHADE_KINDS = ['down', 'maintenance', 'paused'] as const;
export type ShadeKind = (typeof SHADE_KINDS)[number];

export interface Shade {
  readonly kind: ShadeKind;
  readonly fromMs: number;
  readonly toMs: number;
  readonly seconds: number;
}

/**
 * Returns the spans of time to shade, for each kind of shade. A bucket contains the number of seconds of each kind, but
 * not when they were. If an adjacent bucket has the same kind, the span touches that bucket, and both form one span.
 * Otherwise, the whole bucket is shaded, so that the span is visible.
 */
export function listShades(buckets: readonly Bucket[]): readonly Shade[] {
  return SHADE_KINDS.flatMap((kind) => listSpans(buckets, kind));
}

function listSpans(buckets: readonly Bucket[], kind: ShadeKind): readonly Shade[] {
  const spans: Shade[] = [];
  for (const [index, bucket] of buckets.entries()) {
    const seconds = bucket.seconds[kind];
    if (seconds === 0) continue;
    const [fromMs, toMs] = [Date.parse(bucket.from), Date.parse(bucket.to)];
    const before = spans.at(-1);
    const isLeading = (buckets[index + 1]?.seconds[kind] ?? 0) > 0;
    if (before?.toMs === fromMs) {
      const endMs = Math.min(toMs, fromMs + seconds * 1_000);
      spans[spans.length - 1] = { ...before, toMs: endMs, seconds: before.seconds + seconds };
    } else if (isLeading) {
      spans.push({ kind, fromMs: Math.max(fromMs, toMs - seconds * 1_000), toMs, seconds });
    } else spans.push({ kind, fromMs, toMs, seconds });
  }
  return spans;
}
