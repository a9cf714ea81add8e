/** The percentile that a row of the list shows. */
import { recentP95 } from '../../../src/dashboard/shared/data/recent-p95';

const beatsOf = (times: readonly (number | null)[]) =>
  times.map((responseTimeMs, index) => ({
    at: new Date(index).toISOString(),
    status: 'up' as const,
    responseTimeMs,
  }));

it('is a time that was measured, with at most one of twenty above it', () => {
  const times = Array.from({ length: 20 }, (_, index) => 100 - index);
  expect(recentP95(beatsOf(times))).toBe(99);
  expect(recentP95(beatsOf([...times, 5_000]))).toBe(100);
});

it('leaves out checks without a time, and is none when all are', () => {
  expect(recentP95(beatsOf([null, 7, null]))).toBe(7);
  expect(recentP95(beatsOf([null]))).toBeNull();
  expect(recentP95([])).toBeNull();
});
