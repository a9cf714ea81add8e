/**
 * Tests following a plan of maintenance. The excluded time does not depend on when and how often the state is updated.
 */
import fc from 'fast-check';
import type { MaintenancePlan, MaintenanceSpan } from '../../../src/contracts/maintenance';
import type { ExcludedPeriod } from '../../../src/contracts/records';
import {
  createPlanState,
  findModeAt,
  findRestEndMs,
  followPlan,
  nextEdgeMs,
  replacePlan,
} from '../../../src/domain/health/maintenance';
import { propertyOptions } from '../../support/property-runs';

const span = (
  fromMs: number,
  toMs: number,
  mode: MaintenanceSpan['mode'] = 'mute',
): MaintenanceSpan => ({ windowId: 'mnt_1', mode, fromMs, toMs });
const planOf = (...spans: MaintenanceSpan[]): MaintenancePlan => ({ asOfMs: 0, spans });

const END = 120;
const spans = fc.array(
  fc
    .tuple(fc.nat(99), fc.integer({ min: 1, max: 20 }), fc.constantFrom('mute', 'pause'))
    .map(([fromMs, length, mode]) => span(fromMs, fromMs + length, mode)),
  { maxLength: 6 },
);

/** Returns the instants in maintenance. Tests each instant separately. */
function maintainedInstants(plan: MaintenancePlan): readonly number[] {
  return Array.from({ length: END }, (_, atMs) => atMs).filter((atMs) => findModeAt(plan, atMs));
}

function instantsOf(excludedPeriods: readonly ExcludedPeriod[]): readonly number[] {
  return excludedPeriods.flatMap(({ fromMs, toMs }) =>
    Array.from({ length: toMs - fromMs }, (_, index) => fromMs + index),
  );
}

test('excluded periods cover exactly the planned maintenance, however rarely the plan is evaluated', () => {
  const looks = fc.array(fc.nat(END - 1), { maxLength: 12 });
  fc.assert(
    fc.property(spans, looks, (planned, instants) => {
      const plan = planOf(...planned);
      let state = createPlanState(plan, 0);
      const ended: ExcludedPeriod[] = [];
      for (const atMs of [...instants, END].sort((a, b) => a - b)) {
        const followed = followPlan(state, atMs);
        ({ state } = followed);
        ended.push(...followed.ended);
        expect(state.current?.mode ?? null).toBe(findModeAt(plan, atMs));
      }
      expect(instantsOf(ended)).toEqual(maintainedInstants(plan));
      expect(state).toMatchObject({ spans: [], current: null });
    }),
    propertyOptions(100),
  );
});

test('updates only at the start and end of each planned period exclude every period in full', () => {
  fc.assert(
    fc.property(spans, (planned) => {
      const plan = planOf(...planned);
      let state = createPlanState(plan, -1);
      const ended: ExcludedPeriod[] = [];
      for (let atMs = nextEdgeMs(state); atMs !== null; atMs = nextEdgeMs(state)) {
        const followed = followPlan(state, atMs);
        ({ state } = followed);
        ended.push(...followed.ended);
      }
      expect(instantsOf(ended)).toEqual(maintainedInstants(plan));
    }),
    propertyOptions(100),
  );
});

test('where a pause overlaps maintenance, only the pause counts, and adjacent excluded periods are merged', () => {
  const plan = planOf(span(10, 40), span(20, 30, 'pause'));
  const resting = followPlan(createPlanState(plan, 0), 20).state;
  expect(resting.current).toEqual({ fromMs: 10, mode: 'pause' });
  expect(findRestEndMs(resting)).toBe(30);
  const awake = followPlan(resting, 35);
  expect(awake).toMatchObject({ turns: [{ atMs: 30, rests: false }], ended: [] });
  expect(followPlan(awake.state, 90).ended).toEqual([
    { state: 'maintenance', fromMs: 10, toMs: 40 },
  ]);
});

test('a new maintenance plan ends current maintenance that it omits, and keeps the start of maintenance that it contains', () => {
  const running = followPlan(createPlanState(planOf(span(10, 90)), 0), 50).state;
  const kept = followPlan(replacePlan(running, { asOfMs: 50, spans: [span(10, 60)] }), 50);
  expect(kept.state.current).toEqual({ fromMs: 10, mode: 'mute' });
  const ended = followPlan(replacePlan(running, { asOfMs: 50, spans: [] }), 50);
  expect(ended.ended).toEqual([{ state: 'maintenance', fromMs: 10, toMs: 50 }]);
  expect(ended.state.current).toBeNull();
});

test('a new maintenance plan adds nothing to the past, and an outdated plan changes nothing', () => {
  const seen = followPlan(createPlanState(null, 0), 50).state;
  const late = followPlan(replacePlan(seen, { asOfMs: 50, spans: [span(10, 60)] }), 50).state;
  expect(late.current).toEqual({ fromMs: 50, mode: 'mute' });
  expect(replacePlan(late, { asOfMs: 49, spans: [] })).toBe(late);
});
