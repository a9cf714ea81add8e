/**
 * Follows a plan of maintenance and service hours: the current period, periods that have ended, and the next change.
 * Pure; works with instants only.
 */
import type {
  MaintenanceMode,
  MaintenancePlan,
  MaintenanceState,
} from '../../contracts/maintenance';
import type { ExcludedPeriod } from '../../contracts/records';

/** Returns the initial state of a plan. Parts of periods before `seenMs` do not count. */
export function createPlanState(plan: MaintenancePlan | null, seenMs: number): MaintenanceState {
  return { asOfMs: plan?.asOfMs ?? 0, spans: plan?.spans ?? [], current: null, seenMs };
}

type Spans = Pick<MaintenancePlan, 'spans'>;

/** Returns the mode of maintenance. `pause` takes precedence over `mute`. null if there is no maintenance. */
export function findModeAt({ spans }: Spans, atMs: number): MaintenanceMode | null {
  const covering = spans.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
  if (covering.some(({ mode }) => mode === 'pause')) return 'pause';
  return covering.some(({ mode }) => mode === 'mute') ? 'mute' : null;
}

/** True outside of the hours in which people are notified. Checks continue. */
export function isOutsideHours({ spans }: Spans, atMs: number): boolean {
  return spans.some(({ mode, fromMs, toMs }) => mode === 'quiet' && fromMs <= atMs && atMs < toMs);
}

/** True while people are not notified of outcomes: in maintenance, and outside of the hours. */
export function isMutedAt(spans: Spans, atMs: number): boolean {
  return findModeAt(spans, atMs) !== null || isOutsideHours(spans, atMs);
}

/** Returns when the next period starts or ends. null means that there is none. */
export function nextEdgeMs({ spans, seenMs }: MaintenanceState): number | null {
  const edges = spans
    .flatMap(({ fromMs, toMs }) => [fromMs, toMs])
    .filter((edgeMs) => edgeMs > seenMs);
  return edges.length === 0 ? null : Math.min(...edges);
}

/**
 * Returns when checks start again. null means that checks are not paused now, or that the end of the pause is not in
 * the plan.
 */
export function findRestEndMs(state: MaintenanceState): number | null {
  if (state.current?.mode !== 'pause') return null;
  const ends = state.spans.map(({ toMs }) => toMs).sort((a, b) => a - b);
  return ends.find((toMs) => toMs > state.seenMs && findModeAt(state, toMs) !== 'pause') ?? null;
}

export interface Followed {
  readonly state: MaintenanceState;
  /** Maintenance that has ended, in chronological order. */
  readonly ended: readonly ExcludedPeriod[];
  /** When checks stopped and started again, in chronological order. */
  readonly turns: readonly RestTurn[];
}

/** An instant at which maintenance or hours stop the checks, or start them again. */
export interface RestTurn {
  readonly atMs: number;
  readonly rests: boolean;
}

/** Handles every start and end of a period up to now, in order, and removes ended periods. */
export function followPlan(given: MaintenanceState, nowMs: number): Followed {
  const { isQuiet: wasQuiet, isOpening: wasOpening, ...before } = given;
  const edges = before.spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
  const passed = edges.filter((edgeMs) => edgeMs > before.seenMs && edgeMs <= nowMs);
  const instants = [...new Set([Math.min(before.seenMs, nowMs), ...passed, nowMs])];
  let { current } = before;
  let isQuiet = wasQuiet === true;
  let isOpening = wasOpening === true;
  const turns: RestTurn[] = [];
  const ended: ExcludedPeriod[] = [];
  for (const atMs of instants.sort((a, b) => a - b)) {
    const mode = findModeAt(before, atMs);
    const isQuietNow = isOutsideHours(before, atMs);
    if (isQuiet && !isQuietNow) isOpening = true;
    isQuiet = isQuietNow;
    const rests = mode === 'pause';
    if (rests !== (current?.mode === 'pause')) turns.push({ atMs, rests });
    if (current !== null && mode === null && current.fromMs < atMs)
      ended.push({ state: 'maintenance', fromMs: current.fromMs, toMs: atMs });
    current = mode === null ? null : { fromMs: current?.fromMs ?? atMs, mode };
  }
  const spans = before.spans.filter(({ toMs }) => toMs > nowMs);
  const seenMs = Math.max(before.seenMs, nowMs);
  const hours = { ...(isQuiet && { isQuiet }), ...(isOpening && { isOpening }) };
  return { state: { ...before, spans, current, seenMs, ...hours }, ended, turns };
}

/** Stores that people have been notified of the resources that were down when the hours began. */
export function withOpened({ isOpening: _told, ...state }: MaintenanceState): MaintenanceState {
  return state;
}

/** Replaces the plan from now on, unless the current plan is newer. Maintenance that has started continues. */
export function replacePlan(before: MaintenanceState, plan: MaintenancePlan): MaintenanceState {
  if (plan.asOfMs < before.asOfMs) return before;
  return { ...before, asOfMs: plan.asOfMs, spans: plan.spans };
}
