/** Turns buckets of uptime and hourly figures into small bars. Pure. */
import type { Uptime } from '../data/api-types';

export interface SparkBar {
  /** The height relative to the tallest bar, from 0 to 1. */
  readonly height: number;
  readonly tone: 'up' | 'degraded' | 'down' | 'none';
  /** The share of the bar that is down, from 0 to 1. Absent if the bar has a single tone. */
  readonly downShare?: number;
}

type Bucket = Uptime['buckets'][number];

/**
 * Returns one bar per whole bucket. The first bucket is left out if it is shorter than the others. A bar with downtime
 * has the full height, and time that was not observed has no height.
 */
export function minuteBars(all: readonly Bucket[]): readonly SparkBar[] {
  const [first, second] = all;
  const isPartial = first && second && computeLength(first) < computeLength(second);
  const buckets = isPartial ? all.slice(1) : all;
  const most = Math.max(...buckets.map(({ responseTimeMs }) => responseTimeMs.p95 ?? 0), 1);
  return buckets.map(({ seconds, responseTimeMs: { p95 } }) => {
    const observed = seconds.up + seconds.degraded;
    if (seconds.down > 0) {
      const bar = { height: 1, tone: 'down' } as const;
      return observed === 0 ? bar : { ...bar, downShare: seconds.down / (seconds.down + observed) };
    }
    if (p95 === null && observed === 0) return { height: 0, tone: 'none' };
    const tone = seconds.degraded > 0 ? 'degraded' : 'up';
    return { height: computeHeight(p95 ?? 0, most), tone };
  });
}

function computeLength({ from, to }: Bucket): number {
  return Date.parse(to) - Date.parse(from);
}

/** Returns one bar per response time in milliseconds. A time of null means that nothing was measured. */
export function hourBars(values: readonly (number | null)[]): readonly SparkBar[] {
  const most = Math.max(...values.map((value) => value ?? 0), 1);
  return values.map((value) =>
    value === null
      ? { height: 0, tone: 'none' }
      : { height: computeHeight(value, most), tone: 'up' },
  );
}

/** Returns the height of a bar. Every bar is high enough to be visible. */
function computeHeight(value: number, most: number): number {
  return 0.2 + 0.65 * (value / most);
}
