/** Tests that the times by state add up to the length of the span, with any changes, pauses and maintenance. */
import * as fc from 'fast-check';
import type { ExcludedPeriod, HealthChange } from '../../../src/contracts/records';
import { measureBuckets, measureStates } from '../../../src/domain/health/timeline';
import { propertyOptions } from '../../support/property-runs';

const NOTHING = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, unknown: 0 };
const changes: readonly HealthChange[] = [
  { atMs: 20, health: 'down' },
  { atMs: 0, health: 'up' },
  { atMs: 30, health: 'degraded' },
];

test('each state lasts until the next change, for changes given in any order', () => {
  const time = measureStates({ changes, excludedPeriods: [] }, { fromMs: 0, toMs: 100 });
  expect(time).toEqual({ ...NOTHING, up: 20, down: 10, degraded: 70 });
});

test('a span of time starts in the state of the newest change before the span', () => {
  const time = measureStates({ changes, excludedPeriods: [] }, { fromMs: 25, toMs: 40 });
  expect(time).toEqual({ ...NOTHING, down: 5, degraded: 10 });
});

test('time without an observation is unknown, and pending counts as no observation', () => {
  const pending: HealthChange = { atMs: 50, health: 'pending' };
  const time = measureStates({ changes: [pending], excludedPeriods: [] }, { fromMs: 0, toMs: 100 });
  expect(time).toEqual({ ...NOTHING, unknown: 100 });
});

test('a pause takes precedence over maintenance, and both over health', () => {
  const excludedPeriods: readonly ExcludedPeriod[] = [
    { state: 'maintenance', fromMs: 10, toMs: 60 },
    { state: 'paused', fromMs: 40, toMs: 80 },
  ];
  const time = measureStates({ changes, excludedPeriods }, { fromMs: 0, toMs: 100 });
  expect(time).toEqual({ ...NOTHING, up: 10, maintenance: 30, paused: 40, degraded: 20 });
});

const instant = fc.integer({ min: 0, max: 1_000 });
const change = fc.record({
  atMs: instant,
  health: fc.constantFrom('pending', 'up', 'degraded', 'down', 'unknown'),
});
const period = fc
  .record({ state: fc.constantFrom('paused', 'maintenance'), a: instant, b: instant })
  .map(({ state, a, b }) => ({ state, fromMs: Math.min(a, b), toMs: Math.max(a, b) }));

test('the times in all states add up to the length of the span, in total and in each bucket', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 8 }),
      fc.array(period, { maxLength: 4 }),
      fc.uniqueArray(instant, { minLength: 2, maxLength: 6 }),
      (someChanges, excludedPeriods, edges) => {
        const ordered = [...edges].sort((a, b) => a - b);
        const timeline = { changes: someChanges, excludedPeriods };
        const buckets = ordered.slice(1).map((toMs, index) => ({
          fromMs: ordered[index] ?? 0,
          toMs,
        }));
        const whole = { fromMs: ordered[0] ?? 0, toMs: ordered.at(-1) ?? 0 };
        const parts = measureBuckets(timeline, buckets);
        const total = measureStates(timeline, whole);
        expect(sum(Object.values(total))).toBe(whole.toMs - whole.fromMs);
        for (const state of Object.keys(NOTHING) as (keyof typeof NOTHING)[])
          expect(sum(parts.map((part) => part[state]))).toBe(total[state]);
      },
    ),
    propertyOptions(100),
  );
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
