/** Tests that pauses and maintenance begin and end at the instants that people see. */
import fc from 'fast-check';
import type { MonitorState } from '../../../src/contracts/workflows';
import { freshMonitorState } from '../../../src/domain/states/fresh-state';
import {
  findNextAct,
  withConfig,
  withFormerGrid,
  withMaintenance,
  withPause,
  withPlan,
  withResume,
  withSlotBegun,
} from '../../../src/workflows/loop/keep-time';
import { monitorConfig } from '../../support/outcomes';
import { propertyOptions } from '../../support/property-runs';

const ID = 'mon_time';

function pausedState(change: Partial<MonitorState['config']> = {}): MonitorState {
  const config = { paused: true, pausedAtMs: 60_000, ...change };
  return { ...freshMonitorState(monitorConfig(ID, config)), lastSlotMs: 60_000 };
}

test('a pause ends at its saved end, even if the workflow learns of the end late', () => {
  const given = fc.record({
    savedAtMs: fc.integer({ min: 60_000, max: 900_000 }),
    lateMs: fc.integer({ min: 0, max: 600_000 }),
    pausedUntilMs: fc.option(fc.integer({ min: 60_000, max: 900_000 })),
  });
  fc.assert(
    fc.property(given, ({ savedAtMs, lateMs, pausedUntilMs }) => {
      const resumed = monitorConfig(ID, { version: 2, savedAtMs });
      const { excludedPeriods } = withConfig(
        pausedState({ pausedUntilMs }),
        resumed,
        savedAtMs + lateMs,
      );
      const toMs = Math.min(savedAtMs, pausedUntilMs ?? savedAtMs);
      expect(excludedPeriods).toEqual(
        toMs === 60_000 ? [] : [{ state: 'paused', fromMs: 60_000, toMs }],
      );
    }),
    propertyOptions(100),
  );
});

test('if the clock of the API is fast, a recorded pause is no longer than the pause that the workflow saw', () => {
  const resumed = monitorConfig(ID, { version: 2, savedAtMs: 999_000 });
  const { excludedPeriods } = withConfig(pausedState(), resumed, 120_000);
  expect(excludedPeriods).toEqual([{ state: 'paused', fromMs: 60_000, toMs: 120_000 }]);
});

test('a maintenance window that is ended early ends at the time when its end was saved', () => {
  const window = { windowId: 'mw_1', mode: 'mute' as const, fromMs: 10_000, toMs: 900_000 };
  const open = withPlan(
    freshMonitorState(monitorConfig(ID)),
    { asOfMs: 5_000, spans: [window] },
    10_000,
  );
  const ended = withPlan(open, { asOfMs: 50_000, spans: [] }, 50_045);
  expect(ended.excludedPeriods).toEqual([{ state: 'maintenance', fromMs: 10_000, toMs: 50_000 }]);
});

test('unchecked slots before a pause are recorded as missed after the pause', () => {
  const config = monitorConfig(ID, { intervalMs: 10_000, anchorMs: 0 });
  const late = { ...freshMonitorState(config), lastSlotMs: 10_000 };
  const resumed = withResume(withPause(late, 35_000), 62_000);
  expect(findNextAct(resumed, 80_000)).toEqual({
    kind: 'slot',
    slotMs: 80_000,
    // The gap has the slots 20 and 30 before the pause, and the slot 70 after it.
    gap: { reason: 'missed', fromSlotMs: 20_000, toSlotMs: 70_000, slots: 3 },
  });
  const twice = withResume(withPause(resumed, 75_000), 91_000);
  expect(findNextAct(twice, 100_000)).toMatchObject({ slotMs: 100_000, gap: { slots: 3 } });
});

test('unchecked slots before maintenance that pauses checks are recorded as missed after the maintenance', () => {
  const config = monitorConfig(ID, { intervalMs: 10_000, anchorMs: 0 });
  const late = { ...freshMonitorState(config), lastSlotMs: 10_000 };
  const rest = { windowId: 'mw_1', mode: 'pause' as const, fromMs: 30_000, toMs: 60_000 };
  const planned = withPlan(late, { asOfMs: 5_000, spans: [rest] }, 12_000);
  const over = withPlan(planned, { asOfMs: 65_000, spans: [] }, 65_000);
  expect(findNextAct(over, 65_000)).toEqual({
    kind: 'slot',
    slotMs: 60_000,
    gap: { reason: 'missed', fromSlotMs: 20_000, toSlotMs: 20_000, slots: 1 },
  });
});

test('a maintenance window lasts from its saved start to its saved end, even if the workflow learns of both late', () => {
  const given = fc.record({
    fromMs: fc.integer({ min: 10_001, max: 200_000 }),
    restMs: fc.integer({ min: 0, max: 200_000 }),
    beginLateMs: fc.integer({ min: 0, max: 100_000 }),
    endLateMs: fc.integer({ min: 0, max: 100_000 }),
  });
  const config = monitorConfig(ID, { intervalMs: 10_000, anchorMs: 0 });
  const state = { ...freshMonitorState(config), lastSlotMs: 10_000 };
  fc.assert(
    fc.property(given, ({ fromMs, restMs, beginLateMs, endLateMs }) => {
      const endMs = fromMs + restMs;
      const seenMs = Math.min(fromMs + beginLateMs, endMs + endLateMs);
      const span = { windowId: 'mw_1', mode: 'pause' as const, fromMs, toMs: 9_000_000 };
      const begun = withPlan(state, { asOfMs: fromMs, spans: [span] }, seenMs);
      const over = withPlan(begun, { asOfMs: endMs, spans: [] }, endMs + endLateMs);
      const lookMs = endMs + endLateMs + 20_000;
      const due = findNextAct(withMaintenance(over, lookMs), lookMs);
      const isDue = (slotMs: number) => slotMs < fromMs || slotMs >= endMs;
      const slots = Array.from({ length: Math.floor(lookMs / 10_000) }, (_, k) => (k + 1) * 10_000);
      const expected = slots.filter((slotMs) => slotMs > 10_000 && isDue(slotMs));
      const named = due.kind === 'slot' ? (due.gap?.slots ?? 0) + 1 : 0;
      expect(named).toBe(expected.length);
    }),
    propertyOptions(100),
  );
});

test('every slot before an interval change is checked or recorded as missed, even if the workflow acts late', () => {
  const step = fc.record({
    // The new interval. null means that the workflow acts without a change of the interval.
    intervalMs: fc.option(fc.constantFrom(10_000, 30_000, 60_000), { freq: 2 }),
    elapsedMs: fc.integer({ min: 1, max: 100_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let state: MonitorState = {
        ...freshMonitorState(monitorConfig(ID, { intervalMs: 60_000, anchorMs: 0 })),
        lastSlotMs: -60_000,
      };
      const grids = [{ anchorMs: 0, intervalMs: 60_000 }];
      let nowMs = 0;
      let counted = 0;
      for (const { intervalMs, elapsedMs } of [...steps, { intervalMs: null, elapsedMs: 60_000 }]) {
        nowMs += elapsedMs;
        if (intervalMs !== null) {
          const moved = { version: state.config.version + 1, intervalMs, anchorMs: nowMs };
          state = withFormerGrid(withConfig(state, monitorConfig(ID, moved), nowMs), state);
          grids.push({ anchorMs: nowMs, intervalMs });
          continue;
        }
        const act = findNextAct(state, nowMs);
        if (act.kind !== 'slot') continue;
        counted += 1 + (act.gap?.slots ?? 0);
        state = withSlotBegun(state, act.slotMs);
        expect(state.formerGrids ?? []).toEqual([]);
      }
      expect(counted).toBe(countSlotsUntil(grids, nowMs));
    }),
    propertyOptions(200),
  );
});

/** Counts the slots of all grids. Each grid ends where the next grid begins. */
function countSlotsUntil(
  grids: readonly { readonly anchorMs: number; readonly intervalMs: number }[],
  nowMs: number,
): number {
  return grids.reduce((sum, { anchorMs, intervalMs }, index) => {
    const endMs = grids[index + 1]?.anchorMs ?? nowMs + 1;
    return sum + Math.ceil((endMs - anchorMs) / intervalMs);
  }, 0);
}
