/** Tests the schedule of slots. Compares it with a naive count of slots one by one. */
import fc from 'fast-check';
import {
  cutGap,
  findMissedGap,
  findPassedGap,
  findSlotAfter,
  findSlotAtOrBefore,
  joinGaps,
  listOpenGrids,
  planSlot,
} from '../../../src/domain/health/schedule';
import { propertyOptions } from '../../support/property-runs';

const anchors = fc.integer({ min: 0, max: 4_102_444_800_000 });
const intervals = fc.integer({ min: 10, max: 604_800 }).map((seconds) => seconds * 1_000);
const counts = fc.integer({ min: 0, max: 2_000 });
const moments = fc.record({
  anchorMs: anchors,
  intervalMs: intervals,
  lastIndex: counts,
  passed: counts,
  into: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

test('the first slot is the anchor of the schedule, and is due at once if the anchor has passed', () => {
  const question = { anchorMs: 1_000, intervalMs: 10_000, lastSlotMs: null };
  expect(planSlot({ ...question, nowMs: 400 })).toEqual({ dueAtMs: 1_000, gap: null });
  expect(planSlot({ ...question, nowMs: 1_000 })).toEqual({ dueAtMs: 1_000, gap: null });
});

test('the slot after the last slot is due next if no slot was missed', () => {
  const question = { anchorMs: 1_000, intervalMs: 10_000, lastSlotMs: 11_000 };
  expect(planSlot({ ...question, nowMs: 11_200 })).toEqual({ dueAtMs: 21_000, gap: null });
  expect(planSlot({ ...question, nowMs: 22_000 })).toEqual({ dueAtMs: 21_000, gap: null });
});

test('after an interruption, the newest due slot is run and the earlier slots form a gap', () => {
  fc.assert(
    fc.property(moments, ({ anchorMs, intervalMs, lastIndex, passed, into }) => {
      const lastSlotMs = anchorMs + lastIndex * intervalMs;
      const nowMs = lastSlotMs + Math.floor((passed + into) * intervalMs);
      const { dueAtMs, gap } = planSlot({ anchorMs, intervalMs, lastSlotMs, nowMs });
      const due = Array.from({ length: passed }, (_, k) => lastSlotMs + (k + 1) * intervalMs);
      const missed = due.slice(0, -1);
      expect(dueAtMs).toBe(due.at(-1) ?? lastSlotMs + intervalMs);
      expect(gap?.slots ?? 0).toBe(missed.length);
      expect(gap?.fromSlotMs).toBe(missed[0]);
      expect(gap?.toSlotMs).toBe(missed.at(-1));
    }),
    propertyOptions(100),
  );
});

test('slots never drift, even if timers fire late', () => {
  fc.assert(
    fc.property(
      anchors,
      intervals,
      fc.array(fc.nat(999), { maxLength: 50 }),
      (anchorMs, intervalMs, late) => {
        let lastSlotMs: number | null = null;
        for (const [index, lateMs] of late.entries()) {
          const nowMs = anchorMs + index * intervalMs + lateMs;
          const { dueAtMs, gap } = planSlot({ anchorMs, intervalMs, lastSlotMs, nowMs });
          expect([dueAtMs, gap]).toEqual([anchorMs + index * intervalMs, null]);
          lastSlotMs = dueAtMs;
        }
      },
    ),
    propertyOptions(100),
  );
});

test('a new anchor starts a new schedule, even if earlier slots were run', () => {
  const question = { anchorMs: 100_000, intervalMs: 10_000, lastSlotMs: 93_000 };
  expect(planSlot({ ...question, nowMs: 100_005 })).toEqual({ dueAtMs: 100_000, gap: null });
});

test('the result of a long check names every slot that passed during the check', () => {
  const question = { anchorMs: 0, intervalMs: 10_000, lastSlotMs: 10_000 };
  expect(findPassedGap({ ...question, nowMs: 19_999 }, 'overrun')).toBeNull();
  expect(findPassedGap({ ...question, nowMs: 20_000 }, 'overrun')).toEqual({
    reason: 'overrun',
    fromSlotMs: 20_000,
    toSlotMs: 20_000,
    slots: 1,
  });
  expect(findPassedGap({ ...question, nowMs: 45_000 }, 'overrun')?.slots).toBe(3);
});

test('the current slot is never after the current time, and the next slot always is', () => {
  fc.assert(
    fc.property(
      anchors,
      intervals,
      fc.integer({ min: 0, max: 1e12 }),
      (anchorMs, intervalMs, atMs) => {
        const grid = { anchorMs, intervalMs };
        const slot = findSlotAtOrBefore(grid, anchorMs + atMs);
        expect(slot).toBeLessThanOrEqual(anchorMs + atMs);
        expect(findSlotAfter(grid, anchorMs + atMs)).toBe(slot + intervalMs);
        expect((slot - anchorMs) % intervalMs).toBe(0);
      },
    ),
    propertyOptions(100),
  );
});

describe('several gaps joined into one', () => {
  const overrun = { reason: 'overrun', fromSlotMs: 10_000, toSlotMs: 30_000, slots: 3 } as const;
  const missed = { reason: 'missed', fromSlotMs: 60_000, toSlotMs: 70_000, slots: 2 } as const;

  test('joined gaps cover all slots from the first to the last', () => {
    const joined = { reason: 'missed', fromSlotMs: 10_000, toSlotMs: 70_000, slots: 5 };
    expect(joinGaps(overrun, missed)).toEqual(joined);
    expect(joinGaps(missed, overrun)).toEqual(joined);
  });

  test('joined gaps keep their reason if all gaps have the same reason', () => {
    const later = { ...overrun, fromSlotMs: 60_000, toSlotMs: 60_000, slots: 1 };
    expect(joinGaps(overrun, later)).toEqual({ ...overrun, toSlotMs: 60_000, slots: 4 });
  });

  test('joining a single gap returns the gap unchanged', () => {
    expect(joinGaps(overrun, null)).toEqual(overrun);
    expect(joinGaps(null, missed)).toEqual(missed);
    expect(joinGaps(null, null)).toBeNull();
  });
});

test('slots without a check form a gap with a reason, but only after a first checked slot', () => {
  const question = { anchorMs: 0, intervalMs: 10_000, nowMs: 30_000 };
  expect(findPassedGap({ ...question, lastSlotMs: null }, 'missed')).toBeNull();
  expect(findPassedGap({ ...question, lastSlotMs: 30_000 }, 'missed')).toBeNull();
  expect(findPassedGap({ ...question, lastSlotMs: 20_000 }, 'missed')).toEqual({
    reason: 'missed',
    fromSlotMs: 30_000,
    toSlotMs: 30_000,
    slots: 1,
  });
});

test('a gap that is cut at an instant begins at the next slot, and is null if no slot remains', () => {
  const gap = { reason: 'missed', fromSlotMs: 10_000, toSlotMs: 40_000, slots: 4 } as const;
  expect(cutGap(gap, 20_000)).toEqual({ ...gap, fromSlotMs: 30_000, slots: 2 });
  expect(cutGap(gap, 29_999)).toEqual({ ...gap, fromSlotMs: 30_000, slots: 2 });
  expect(cutGap(gap, 40_000)).toBeNull();
  // This gap contains a pause, so the positions of its slots are unknown. It is therefore unknown how many slots come
  // after the cut.
  expect(cutGap({ ...gap, slots: 3, toSlotMs: 45_001 }, 20_000)).toBeNull();
});

test('former time grids whose slots are all stored can be forgotten without changing the missed slots', () => {
  const step = fc.record({
    intervalMs: fc.constantFrom(10_000, 30_000, 60_000),
    apartMs: fc.integer({ min: 1, max: 200_000 }),
  });
  const steps = fc.array(step, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 2_000_000 }), (given, lastSlotMs) => {
      let anchorMs = 0;
      const grids = given.map(({ intervalMs, apartMs }) => {
        anchorMs += apartMs;
        return { anchorMs, intervalMs };
      });
      const current = { anchorMs: anchorMs + 1, intervalMs: 10_000 };
      const open = listOpenGrids(grids, current, lastSlotMs);
      expect(open.length === 0).toBe(lastSlotMs >= current.anchorMs);
      const span = { lastSlotMs, beforeMs: 3_000_000 };
      const missed = findMissedGap([...grids, current], span);
      expect(findMissedGap([...open, current], span)).toEqual(missed);
    }),
    propertyOptions(200),
  );
});
