/** Tests which alerts are sent individually when many are raised at once. */
import { isWithinBurst, toBurstMinute } from '../../../src/domain/alerting/burst-rule';

const MINUTE_MS = 60_000;
const START_MS = 1_800_000_000_000;

/** Raises alerts at these instants. Returns the instants of the alerts that are sent individually. */
function admitted(timesMs: readonly number[]): readonly number[] {
  const counts = new Map<number, number>();
  return timesMs.filter((atMs) => {
    const minute = toBurstMinute(atMs);
    const now = (counts.get(minute) ?? 0) + 1;
    counts.set(minute, now);
    return isWithinBurst({ now, before: counts.get(minute - 1) ?? 0 }, atMs);
  });
}

test('only the first ten of 25 simultaneous alerts are sent individually', () => {
  expect(admitted(Array<number>(25).fill(START_MS))).toHaveLength(10);
});

test('alerts ten seconds apart are all sent individually', () => {
  const timesMs = Array.from({ length: 60 }, (_, index) => START_MS + index * 10_000);
  expect(admitted(timesMs)).toEqual(timesMs);
});

test('a new minute does not allow a second burst of alerts', () => {
  const end = START_MS - (START_MS % MINUTE_MS) + MINUTE_MS;
  const before = Array<number>(10).fill(end - 1);
  const after = Array<number>(10).fill(end);
  expect(admitted([...before, ...after])).toHaveLength(10);
});

test('after a minute without alerts, ten more are sent individually', () => {
  const first = Array<number>(30).fill(START_MS);
  const second = Array<number>(30).fill(START_MS + 2 * MINUTE_MS);
  expect(admitted([...first, ...second])).toHaveLength(20);
});

test('the alerts of the previous minute count in proportion to its share of the last 60 seconds', () => {
  const half = START_MS - (START_MS % MINUTE_MS) + MINUTE_MS / 2;
  expect(isWithinBurst({ now: 5, before: 10 }, half)).toBe(true);
  expect(isWithinBurst({ now: 6, before: 10 }, half)).toBe(false);
  expect(isWithinBurst({ now: 10, before: 0 }, half)).toBe(true);
  expect(toBurstMinute(half)).toBe((half - MINUTE_MS / 2) / MINUTE_MS);
});
