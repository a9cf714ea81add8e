/** Tests that the parts of the ledger add up to exactly the slots that were due, in any history. */
import fc from 'fast-check';
import type { Gap } from '../../../src/contracts/records';
import { findPassedGap, planSlot } from '../../../src/domain/health/schedule';
import {
  addAccounts,
  addTallies,
  compareWithSchedule,
  countNamed,
  countSlots,
  type TalliedSlot,
  tallySlots,
} from '../../../src/domain/health/slot-ledger';
import { propertyOptions } from '../../support/property-runs';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** One check of a history. */
const deed = fc.record({
  /**
   * Milliseconds before the workflow plans the next slot: usually at most a few minutes, sometimes an outage of hours.
   */
  waitMs: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 3 * MINUTE }) },
    { weight: 1, arbitrary: fc.integer({ min: HOUR, max: 30 * HOUR }) },
  ),
  /** The duration of the check in milliseconds. */
  takesMs: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: MINUTE, max: 10 * MINUTE }) },
  ),
  reason: fc.constantFrom(null, null, null, 'region_unavailable', 'worker_lost'),
});

interface Life {
  readonly results: TalliedSlot[];
  readonly gaps: Gap[];
  readonly toMs: number;
}

/** Plans slots as a workflow does. It checks the newest due slot, and records a gap for the slots before it. */
function live(
  grid: { readonly anchorMs: number; readonly intervalMs: number },
  deeds: readonly {
    readonly waitMs: number;
    readonly takesMs: number;
    readonly reason: string | null;
  }[],
): Life {
  const results: TalliedSlot[] = [];
  const gaps: Gap[] = [];
  let nowMs = grid.anchorMs;
  // At the start of a workflow, the first slot is due at once, so only later slots can be missed.
  let lastSlotMs = grid.anchorMs - grid.intervalMs;
  for (const { waitMs, takesMs, reason } of deeds) {
    nowMs += waitMs;
    const { dueAtMs, gap } = planSlot({ ...grid, lastSlotMs, nowMs });
    nowMs = Math.max(nowMs, dueAtMs);
    if (gap !== null) gaps.push(gap);
    results.push({ slotMs: dueAtMs, isLate: nowMs - dueAtMs > 1_000, reason });
    lastSlotMs = dueAtMs;
    nowMs += takesMs;
    const outlasted = findPassedGap({ ...grid, lastSlotMs, nowMs }, 'overrun');
    if (outlasted === null) continue;
    gaps.push(outlasted);
    lastSlotMs = outlasted.toSlotMs;
  }
  return { results, gaps, toMs: lastSlotMs + 1 };
}

const life = fc
  .record({
    anchorMs: fc.integer({ min: 0, max: 100 * HOUR }),
    intervalMs: fc.constantFrom(10_000, MINUTE, 7 * MINUTE, 5 * HOUR),
    deeds: fc.array(deed, { minLength: 1, maxLength: 40 }),
  })
  .map(({ deeds, ...grid }) => ({ grid, ...live(grid, deeds) }));

const sumOf = (missed: Readonly<Record<string, number>>): number =>
  Object.values(missed).reduce((sum, slots) => sum + slots, 0);

test('for any history, the counted slots add up to the slots due, in total and hour by hour', () => {
  fc.assert(
    fc.property(life, ({ grid, results, gaps, toMs }) => {
      const span = { fromMs: grid.anchorMs, toMs };
      const whole = tallySlots(results, gaps, span);
      expect(countNamed(whole)).toBe(countSlots(grid, span));
      const hours = [];
      for (let fromMs = span.fromMs; fromMs < toMs; fromMs += HOUR) {
        const hour = { fromMs, toMs: Math.min(fromMs + HOUR, toMs) };
        const inside = results.filter(({ slotMs }) => slotMs >= hour.fromMs && slotMs < hour.toMs);
        const tally = tallySlots(inside, gaps, hour);
        const account = compareWithSchedule(tally, countSlots(grid, hour));
        expect(account.unaccounted).toBe(0);
        expect(account.due).toBe(account.made + sumOf(account.missed));
        hours.push(account);
      }
      const { due, made, late, missed } = addAccounts(hours);
      expect({ due, made, late, missed }).toEqual({ ...whole, due: countNamed(whole) });
    }),
    propertyOptions(150),
  );
});

test('each slot without a stored result or gap counts as unaccounted for', () => {
  fc.assert(
    fc.property(life, fc.nat(), ({ grid, results, gaps, toMs }, lost) => {
      const span = { fromMs: grid.anchorMs, toMs };
      const kept = results.filter((_, index) => index !== lost % results.length);
      const scheduled = countSlots(grid, span);
      const account = compareWithSchedule(tallySlots(kept, gaps, span), scheduled);
      expect(account).toMatchObject({ due: scheduled, verified: scheduled, unaccounted: 1 });
      expect(account.due).toBe(account.made + sumOf(account.missed) + account.unaccounted);
    }),
    propertyOptions(100),
  );
});

test('if a slot inside a gap has a result, the slot counts once, as checked', () => {
  const gap: Gap = { reason: 'missed', fromSlotMs: 0, toSlotMs: 3 * MINUTE, slots: 4 };
  const made = { slotMs: MINUTE, isLate: true, reason: null };
  const tally = tallySlots([made], [gap], { fromMs: 0, toMs: 10 * MINUTE });
  expect(tally).toEqual({ made: 1, late: 1, missed: { missed: 3 } });
  expect(addTallies([tally, tally])).toEqual({ made: 2, late: 2, missed: { missed: 6 } });
});

test('without a schedule, only the stored slots count as due', () => {
  const tally = { made: 3, late: 0, missed: { overrun: 2 } };
  expect(compareWithSchedule(tally, null)).toEqual({
    ...tally,
    due: 5,
    verified: 0,
    unaccounted: 0,
  });
  expect(compareWithSchedule(tally, 4)).toEqual({ ...tally, due: 5, verified: 4, unaccounted: 0 });
});
