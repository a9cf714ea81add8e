/**
 * Sums up results: counts by status, gaps, and response times. Pure, so that a summary can be rebuilt. Merging
 * summaries loses nothing.
 */
import { CHECK_STATUSES, type CheckStatus } from '../../contracts/outcome';
import type { Gap } from '../../contracts/records';
import { buildHistogram, computePercentiles, type Histogram, mergeHistograms } from './histogram';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export interface Summary {
  readonly counts: Readonly<Record<CheckStatus, number>>;
  /** Slots that were missed because of Keepwatch, or because the previous check took too long. */
  readonly gaps: Readonly<Record<'missed' | 'overrun', number>>;
  /** Response times of checks that passed, in milliseconds. */
  readonly latency: {
    readonly sum: number;
    readonly min: number | null;
    readonly max: number | null;
    readonly histogram: Histogram;
  };
}

/** The part of a result that a summary uses. A manual check counts like a scheduled one. */
export interface SummedResult {
  readonly status: CheckStatus;
  readonly responseTimeMs: number | null;
}

export interface TimeSpan {
  readonly fromMs: number;
  /** The end, which is exclusive. */
  readonly toMs: number;
}

/** Returns the start of the hour or day that contains the instant. */
export function findPeriodStart(lengthMs: number, atMs: number): number {
  return Math.floor(atMs / lengthMs) * lengthMs;
}

export const EMPTY_SUMMARY: Summary = {
  counts: { up: 0, degraded: 0, down: 0, unknown: 0 },
  gaps: { missed: 0, overrun: 0 },
  latency: { sum: 0, min: null, max: null, histogram: new Map() },
};

/** Sums up the results of a period. Gaps may extend beyond the period, but only their slots inside the period count. */
export function summarise(
  results: readonly SummedResult[],
  gaps: readonly Gap[],
  span: TimeSpan,
): Summary {
  const counts = { ...EMPTY_SUMMARY.counts };
  const times: number[] = [];
  for (const { status, responseTimeMs } of results) {
    counts[status] += 1;
    const isPassed = status === 'up' || status === 'degraded';
    if (isPassed && responseTimeMs !== null) times.push(responseTimeMs);
  }
  const slots = { ...EMPTY_SUMMARY.gaps };
  for (const gap of gaps)
    slots[gap.reason === 'overrun' ? 'overrun' : 'missed'] += countSlotsInside(gap, span);
  return { counts, gaps: slots, latency: sumLatency(times) };
}

export function mergeSummaries(summaries: readonly Summary[]): Summary {
  const counts = { ...EMPTY_SUMMARY.counts };
  const gaps = { ...EMPTY_SUMMARY.gaps };
  for (const summary of summaries) {
    for (const status of CHECK_STATUSES) counts[status] += summary.counts[status];
    for (const reason of ['missed', 'overrun'] as const) gaps[reason] += summary.gaps[reason];
  }
  const latencies = summaries.map(({ latency }) => latency);
  const minima = latencies.flatMap(({ min }) => (min === null ? [] : [min]));
  const maxima = latencies.flatMap(({ max }) => (max === null ? [] : [max]));
  return {
    counts,
    gaps,
    latency: {
      sum: latencies.reduce((total, { sum }) => total + sum, 0),
      min: minima.length === 0 ? null : Math.min(...minima),
      max: maxima.length === 0 ? null : Math.max(...maxima),
      histogram: mergeHistograms(latencies.map(({ histogram }) => histogram)),
    },
  };
}

/** True if nothing was checked and nothing was missed. */
export function isEmptySummary({ counts, gaps }: Summary): boolean {
  return [...Object.values(counts), ...Object.values(gaps)].every((count) => count === 0);
}

/** Returns the response time in milliseconds at each share from 0 to 1. null means that nothing was measured. */
export function computeLatencies(
  { latency: { min, max, histogram } }: Pick<Summary, 'latency'>,
  shares: readonly number[],
): readonly (number | null)[] {
  return computePercentiles(histogram, shares).map((value) =>
    value === null || min === null || max === null ? null : Math.min(max, Math.max(min, value)),
  );
}

/** Counts the slots of the gap that fall into the span. */
export function countSlotsInside(
  { fromSlotMs, toSlotMs, slots }: Gap,
  { fromMs, toMs }: TimeSpan,
): number {
  if (slots <= 1) return fromSlotMs >= fromMs && fromSlotMs < toMs ? 1 : 0;
  const intervalMs = (toSlotMs - fromSlotMs) / (slots - 1);
  const before = (atMs: number): number =>
    Math.min(slots, Math.max(0, Math.ceil((atMs - fromSlotMs) / intervalMs)));
  return before(toMs) - before(fromMs);
}

function sumLatency(times: readonly number[]): Summary['latency'] {
  return {
    sum: times.reduce((total, time) => total + time, 0),
    min: times.length === 0 ? null : times.reduce((least, time) => Math.min(least, time)),
    max: times.length === 0 ? null : times.reduce((most, time) => Math.max(most, time)),
    histogram: buildHistogram(times),
  };
}
