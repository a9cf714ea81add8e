/** Tests late checks after a time in which no checks ran: when each check begins, and how many begin at once. */
import fc from 'fast-check';
import { computeLateCheckWaitMs } from '../../../src/domain/health/late-checks';
import { propertyOptions } from '../../support/property-runs';
import { createRandom } from '../../support/random';

/** Checks per second. There are so many that random peaks hardly matter. */
const RATE = 250;
const SECOND_MS = 1_000;
/** Milliseconds before the next slot. A check that is closer to its next slot does not wait. */
const RESERVE_MS = 3_000;

const standstills = fc.record({
  seed: fc.integer(),
  intervalMs: fc.constantFrom(10_000, 20_000, 60_000),
  intervals: fc.double({ min: 0.1, max: 3, noNaN: true }),
});

interface Standstill {
  readonly seed: number;
  readonly intervalMs: number;
  /** The time without checks, in intervals. */
  readonly intervals: number;
}

interface Begun {
  readonly waitMs: number;
  readonly leftMs: number;
}

/** Returns the late checks that are due after a time without checks, with the instant at which each begins. */
function beginnings({ seed, intervalMs, intervals }: Standstill): readonly Begun[] {
  const random = createRandom(seed);
  const count = (RATE * intervalMs) / SECOND_MS;
  const stoodMs = intervals * intervalMs;
  return Array.from({ length: count }, (_, index): Begun | null => {
    const lateMs = Math.floor(random() * intervalMs);
    if (lateMs > stoodMs) return null;
    const late = { id: `mon_${index}`, slotMs: 0, intervalMs, nowMs: lateMs };
    return { waitMs: computeLateCheckWaitMs(late), leftMs: intervalMs - lateMs };
  }).filter((one) => one !== null);
}

test('after a period without checks, late checks begin at no more than three times their usual rate', () => {
  fc.assert(
    fc.property(standstills, (standstill) => {
      const all = beginnings(standstill);
      const atOnce = all.filter(({ leftMs }) => leftMs <= RESERVE_MS);
      expect(atOnce.every(({ waitMs }) => waitMs === 0)).toBe(true);
      expect(atOnce.length).toBeLessThanOrEqual(((RESERVE_MS * RATE) / SECOND_MS) * 1.2);
      const times = all
        .filter((one) => !atOnce.includes(one))
        .map(({ waitMs }) => waitMs)
        .toSorted((a, b) => a - b);
      let first = 0;
      let most = 0;
      for (const [last, atMs] of times.entries()) {
        while (atMs - (times[first] ?? atMs) >= SECOND_MS) first += 1;
        most = Math.max(most, last - first + 1);
      }
      expect(most).toBeLessThanOrEqual(3 * RATE);
    }),
    propertyOptions(40),
  );
});

test('a delayed late check begins at least three seconds before its next slot', () => {
  fc.assert(
    fc.property(standstills, (standstill) => {
      const { intervalMs } = standstill;
      const isTooLate = ({ waitMs, leftMs }: Begun): boolean =>
        waitMs > 0 && (waitMs > leftMs - RESERVE_MS || waitMs > intervalMs / 2);
      expect(beginnings(standstill).filter(isTooLate)).toEqual([]);
    }),
    propertyOptions(10),
  );
});

test('a check that is at most a second late, or has missed its slot, begins at once', () => {
  const check = { id: 'mon_1', slotMs: 60_000, intervalMs: 60_000 };
  for (const nowMs of [59_500, 60_000, 61_000, 120_000, 500_000])
    expect(computeLateCheckWaitMs({ ...check, nowMs })).toBe(0);
  expect(computeLateCheckWaitMs({ ...check, nowMs: 62_000 })).toBeGreaterThan(0);
});

test('late checks of monitors with the same schedule are spread out', () => {
  const late = { slotMs: 0, intervalMs: 60_000, nowMs: 20_000 };
  const waits = Array.from({ length: 100 }, (_, index) =>
    computeLateCheckWaitMs({ ...late, id: `mon_${index}` }),
  );
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(5_000);
});
