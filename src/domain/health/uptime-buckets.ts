/** Splits a window into parts for a chart. The parts start at round times. Pure. */
import { DAY_MS, HOUR_MS, type TimeSpan } from './summary';

export const BUCKETS_MAX = 300;

const MINUTE_MS = 60_000;
/** The possible lengths of parts: round times that people read easily. A quarter is split into days. */
const LENGTHS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28, 91, 182].map((days) => days * DAY_MS),
];

/** Returns at most 300 consecutive parts. The first and the last may be shorter. */
export function splitSpan({ fromMs, toMs }: TimeSpan): readonly TimeSpan[] {
  if (fromMs >= toMs) return [];
  const fits = (lengthMs: number): boolean => {
    const first = Math.floor(fromMs / lengthMs);
    return Math.ceil(toMs / lengthMs) - first <= BUCKETS_MAX;
  };
  const lengthMs = LENGTHS_MS.find(fits) ?? Math.ceil((toMs - fromMs) / (BUCKETS_MAX - 1));
  const buckets: TimeSpan[] = [];
  for (let start = Math.floor(fromMs / lengthMs) * lengthMs; start < toMs; start += lengthMs)
    buckets.push({ fromMs: Math.max(start, fromMs), toMs: Math.min(start + lengthMs, toMs) });
  return buckets;
}
