/**
 * Stores response times in a histogram of logarithmic buckets. Percentiles are within 2 % of a measured value
 * (DDSketch, Masson et al., VLDB 2019), and merging loses nothing. Pure.
 */

/** Upper bound for the relative error of a percentile. */
export const RELATIVE_ERROR = 0.02;

const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
const LOG_GAMMA = Math.log(GAMMA);
/**
 * The smallest value that the histogram distinguishes. Every real measurement is larger, and the logarithm stays
 * finite.
 */
const VALUE_MIN = 0.001;

/** Maps each bucket to the number of values in it. */
export type Histogram = ReadonlyMap<number, number>;

export function buildHistogram(values: readonly number[]): Histogram {
  const buckets = new Map<number, number>();
  for (const value of values) {
    const bucket = Math.ceil(Math.log(Math.max(value, VALUE_MIN)) / LOG_GAMMA);
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  }
  return buckets;
}

/** Merges the histograms into one histogram of all values. */
export function mergeHistograms(histograms: readonly Histogram[]): Histogram {
  const merged = new Map<number, number>();
  for (const histogram of histograms)
    for (const [bucket, count] of histogram) merged.set(bucket, (merged.get(bucket) ?? 0) + count);
  return merged;
}

/**
 * For each share from 0 to 1, returns the value at rank `ceil(share × n)`, with an error of at most 2 %. If the
 * histogram is empty, all values are null.
 */
export function computePercentiles(
  histogram: Histogram,
  shares: readonly number[],
): readonly (number | null)[] {
  const buckets = [...histogram].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  return shares.map((share) => (total === 0 ? null : valueAt(buckets, Math.ceil(share * total))));
}

function valueAt(buckets: readonly (readonly [number, number])[], rank: number): number | null {
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    // Returns the middle of the bucket. Its limits are gamma^(bucket-1) and gamma^bucket.
    if (seen >= Math.max(1, rank)) return (2 * GAMMA ** bucket) / (GAMMA + 1);
  }
  return null;
}

/** Returns `bucket:count` pairs in base 36, sorted. Each bucket is written as its difference from the previous one. */
export function toHistogramText(histogram: Histogram): string {
  let before = 0;
  return [...histogram]
    .sort(([a], [b]) => a - b)
    .map(([bucket, count]) => {
      const distance = bucket - before;
      before = bucket;
      return `${distance.toString(36)}:${count.toString(36)}`;
    })
    .join(' ');
}

/** Reads the text of `toHistogramText`. */
export function fromHistogramText(text: string): Histogram {
  const histogram = new Map<number, number>();
  let bucket = 0;
  for (const part of text.split(' ').filter((piece) => piece !== '')) {
    const [distance = '0', count = '0'] = part.split(':');
    bucket += Number.parseInt(distance, 36);
    histogram.set(bucket, Number.parseInt(count, 36));
  }
  return histogram;
}
