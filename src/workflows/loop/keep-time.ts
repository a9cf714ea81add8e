/**
 * Decides the next action of the workflow of a monitor or scenario. Pure. Signal handlers change the state through
 * these functions. A grid is the series of all slots.
 */

import type { Backlog } from '../../contracts/backlog';
import type { MaintenancePlan, MaintenanceState } from '../../contracts/maintenance';
import type { ExcludedPeriod, Gap, OperatorChange } from '../../contracts/records';
import type { HealthState, ScheduleConfig } from '../../contracts/workflows';
import {
  findModeAt,
  findRestEndMs,
  followPlan,
  nextEdgeMs,
  replacePlan,
} from '../../domain/health/maintenance';
import {
  findMissedGap,
  findPassedGap,
  findSlotAfter,
  findSlotAtOrBefore,
  type Grid,
  joinGaps,
  listOpenGrids,
  planSlot,
} from '../../domain/health/schedule';

/** The part of a state that concerns times. */
export interface TimeState {
  readonly config: ScheduleConfig;
  readonly health: HealthState;
  readonly lastSlotMs: number | null;
  readonly checkedRevision: number | null;
  readonly excludedPeriods: readonly ExcludedPeriod[];
  /** Slots before a pause that were not checked, and slots that passed during a check. They are recorded later. */
  readonly skipped: Gap | null;
  /** Earlier grids with possibly unstored slots, oldest first. Absent if there are none. */
  readonly formerGrids?: readonly Grid[];
  readonly maintenance: MaintenanceState;
  readonly operatorChange: OperatorChange | null;
  readonly backlog: Backlog;
}

/** The next action of a resource that has a grid of slots. */
export type NextAct =
  /** A slot of the grid is due. */
  | { readonly kind: 'slot'; readonly slotMs: number; readonly gap: Gap | null }
  /** The definition was saved between two slots, so a check is due now. */
  | { readonly kind: 'save' }
  /** Nothing is due before this time. null if nothing is due until a signal comes. */
  | { readonly kind: 'wait'; readonly untilMs: number | null };

/** Ends a pause or applies a change of maintenance, if it is due. Returns the new state, or null if nothing is due. */
export function applyDueChange<State extends TimeState>(state: State, nowMs: number): State | null {
  const { paused, pausedUntilMs } = state.config;
  const edgeMs = paused ? pausedUntilMs : nextEdgeMs(state.maintenance);
  if (edgeMs === null || edgeMs > nowMs) return null;
  return paused ? withResume(state, edgeMs) : withMaintenance(state, nowMs);
}

/** Returns the next action by the clock. Call `applyDueChange` first. Requests by people are not considered. */
export function findNextAct(state: TimeState, nowMs: number): NextAct {
  const { config, checkedRevision, lastSlotMs } = state;
  if (config.paused) return { kind: 'wait', untilMs: config.pausedUntilMs };
  const edgeMs = nextEdgeMs(state.maintenance);
  if (isResting(state)) return { kind: 'wait', untilMs: edgeMs };
  const { dueAtMs } = planSlot({ ...config, lastSlotMs, nowMs });
  if (dueAtMs <= nowMs) {
    const gap = findMissedGap(listGrids(state), { lastSlotMs, beforeMs: dueAtMs });
    return { kind: 'slot', slotMs: dueAtMs, gap: joinGaps(state.skipped, gap) };
  }
  if (checkedRevision !== config.revision && checkedRevision !== null) return { kind: 'save' };
  return { kind: 'wait', untilMs: edgeMs === null ? dueAtMs : Math.min(dueAtMs, edgeMs) };
}

/** Lists the grids whose slots may not be recorded yet. The current grid is last. */
export function listGrids({ formerGrids = [], config }: TimeState): readonly Grid[] {
  return [...formerGrids, config];
}

/** Remembers the previous grid after a change of the interval, because its last slots may not be recorded yet. */
export function withFormerGrid<State extends TimeState>(state: State, before: TimeState): State {
  const { anchorMs, intervalMs, paused } = before.config;
  const { config, lastSlotMs } = state;
  const isSame = config.anchorMs === anchorMs && config.intervalMs === intervalMs;
  if (isSame || paused || config.paused || isResting(before) || lastSlotMs === null) return state;
  const former = [...(state.formerGrids ?? []), { anchorMs, intervalMs }];
  return { ...state, formerGrids: listOpenGrids(former, config, lastSlotMs) };
}

/** Returns the state while the slot is being checked. Slots that pass meanwhile are recorded later. */
export function withSlotBegun<State extends TimeState>(state: State, slotMs: number): State {
  const { formerGrids, config } = state;
  const lastSlotMs = Math.max(slotMs, state.lastSlotMs ?? slotMs);
  const begun = { ...state, lastSlotMs, skipped: null };
  if (formerGrids === undefined) return begun;
  return { ...begun, formerGrids: listOpenGrids(formerGrids, config, lastSlotMs) };
}

export interface Outlasted {
  /** The configuration that the check or round ran under. */
  readonly config: ScheduleConfig;
  readonly nowMs: number;
  readonly reason: Gap['reason'];
}

/**
 * Skips the slots that passed during a check. They are recorded together with the next slot, because the record of the
 * current slot may be stored already and never changes.
 */
export function withOutlasted<State extends TimeState>(
  state: State,
  { config, nowMs, reason }: Outlasted,
): State {
  const untilMs = outlastedUntilMs(state, nowMs);
  if (untilMs === null) return state;
  const gap = findPassedGap({ ...config, lastSlotMs: state.lastSlotMs, nowMs: untilMs }, reason);
  if (gap === null) return state;
  return { ...state, lastSlotMs: gap.toSlotMs, skipped: joinGaps(state.skipped, gap) };
}

/**
 * Returns until when passed slots count as missed: now, or the start of a pause. null if maintenance has begun or ended
 * since, because `withMaintenance` then records the slots.
 */
function outlastedUntilMs(state: TimeState, nowMs: number): number | null {
  const { paused, pausedAtMs } = state.config;
  const edgeMs = nextEdgeMs(state.maintenance);
  if (isResting(state) || (edgeMs !== null && edgeMs <= nowMs)) return null;
  return paused ? Math.min(nowMs, pausedAtMs ?? nowMs) : nowMs;
}

/** Returns true while maintenance forbids checks. */
export function isResting({ maintenance }: TimeState): boolean {
  return maintenance.current?.mode === 'pause';
}

/** Returns the time of the next check that people are shown. null while paused. */
export function nextSlotMs(state: TimeState, nowMs: number): number | null {
  const { config, lastSlotMs, maintenance } = state;
  if (config.paused) return null;
  const restedMs = findRestEndMs(maintenance);
  if (restedMs !== null) return findSlotAfter(config, restedMs - 1);
  return planSlot({ ...config, lastSlotMs, nowMs }).dueAtMs;
}

/** Returns true if this slot is the first slot of the saved definition. */
export function isFirstAfterSave({ config, checkedRevision }: TimeState, slotMs: number): boolean {
  return checkedRevision !== config.revision || slotMs === config.anchorMs;
}

/** Begins to count slots when the workflow starts. The slot at the start is due, and no earlier slot is missed. */
export function withFirstSlot<State extends TimeState>(state: State, startedAtMs: number): State {
  const { config, lastSlotMs } = state;
  if (lastSlotMs !== null || config.paused || startedAtMs < config.anchorMs) return state;
  return { ...state, lastSlotMs: findSlotAtOrBefore(config, startedAtMs) - config.intervalMs };
}

/** Uses the configuration if it is newer than the current one. */
export function withConfig<State extends TimeState>(
  state: State,
  given: State['config'],
  nowMs: number,
): State {
  // APIs of earlier releases do not send `dependsOn`.
  const config = Object.assign({ dependsOn: [] }, given);
  if (config.id !== state.config.id || config.version <= state.config.version) return state;
  const kept = state.health.regions.filter(({ region }) => config.regions.includes(region));
  const health = { ...state.health, regions: kept };
  const planned = config.maintenance === null ? state : withPlan(state, config.maintenance, nowMs);
  const next = { ...planned, config, health, operatorChange: null };
  if (state.config.paused && !config.paused) {
    const atMs = resumedAtMs(state.config, config, nowMs);
    const resumed = withPauseOver({ ...next, config: state.config }, config, atMs);
    return withoutPausedSlots(resumed, { fromMs: state.config.pausedAtMs, toMs: atMs });
  }
  if (!config.paused) return next;
  const pausedAtMs = state.config.pausedAtMs ?? config.pausedAtMs ?? nowMs;
  return { ...next, config: { ...config, pausedAtMs } };
}

/** Returns when a pause ended: when people saved the change, or earlier if the pause had expired before. */
function resumedAtMs(before: ScheduleConfig, after: ScheduleConfig, nowMs: number): number {
  const ends = [nowMs, after.savedAtMs, before.pausedUntilMs ?? nowMs];
  return Math.max(before.pausedAtMs ?? 0, Math.min(...ends.filter(Number.isFinite)));
}

/** Pauses until further notice, on an operator's signal. */
export function withPause<State extends TimeState>(state: State, nowMs: number): State {
  const pausedAtMs = state.config.pausedAtMs ?? nowMs;
  const config = { ...state.config, paused: true, pausedAtMs, pausedUntilMs: null };
  return { ...state, config };
}

/** Ends a pause at `atMs`. Slots inside the pause are neither checked nor missed. */
export function withResume<State extends TimeState>(state: State, atMs: number): State {
  if (!state.config.paused) return state;
  const config = { ...state.config, paused: false, pausedAtMs: null, pausedUntilMs: null };
  const { pausedAtMs: fromMs } = state.config;
  return withoutPausedSlots(withPauseOver(state, config, atMs), { fromMs, toMs: atMs });
}

/**
 * Handles due starts and ends of maintenance, and remembers the periods that end. If a window pauses the checks, the
 * unchecked slots before it become a gap, and the slots inside it are dropped.
 */
export function withMaintenance<State extends TimeState>(state: State, nowMs: number): State {
  const followed = followPlan(state.maintenance, nowMs);
  const excludedPeriods = [...state.excludedPeriods, ...followed.ended].slice(
    -EXCLUDED_PERIODS_MAX,
  );
  const next = { ...state, maintenance: followed.state, excludedPeriods };
  return followed.turns.reduce(
    (turned, { atMs, rests }) =>
      rests
        ? withSkipped(turned, atMs)
        : withoutPausedSlots(turned, { fromMs: null, toMs: atMs - 1 }),
    next,
  );
}

/** Records the unchecked slots before the start of a pausing window as a gap. */
function withSkipped<State extends TimeState>(state: State, beforeMs: number): State {
  const { lastSlotMs, skipped } = state;
  const gap = findMissedGap(listGrids(state), { lastSlotMs, beforeMs });
  return gap === null
    ? state
    : { ...state, lastSlotMs: gap.toSlotMs, skipped: joinGaps(skipped, gap) };
}

/**
 * Applies the new plan as of the time at which the plan was made. Windows that have started or ended since then start
 * or end now. What happened before is not changed.
 */
export function withPlan<State extends TimeState>(
  state: State,
  plan: MaintenancePlan,
  nowMs: number,
): State {
  const madeMs = Math.min(nowMs, Math.max(state.maintenance.seenMs, plan.asOfMs));
  const followed = withMaintenance(state, madeMs);
  const maintenance = replacePlan(followed.maintenance, plan);
  const next = withMaintenance({ ...followed, maintenance }, madeMs);
  const isNew = (period: ExcludedPeriod): boolean => !followed.excludedPeriods.includes(period);
  return {
    ...next,
    excludedPeriods: next.excludedPeriods.map((one) => (isNew(one) ? endedAt(one, plan) : one)),
  };
}

/** Returns the period as people are shown it. If a new plan ended the period early, it ended when the plan was made. */
function endedAt(period: ExcludedPeriod, { asOfMs }: MaintenancePlan): ExcludedPeriod {
  return { ...period, toMs: Math.max(period.fromMs, Math.min(period.toMs, asOfMs)) };
}

/** Returns true for a check or run that begins during maintenance. */
export function isInMaintenance({ maintenance }: TimeState, atMs: number): boolean {
  return findModeAt(maintenance, atMs) !== null;
}

/** Maximum number of remembered periods. If very many periods end between two slots, the oldest are dropped. */
const EXCLUDED_PERIODS_MAX = 50;

/** Remembers the pause that ends, until it is stored with the next slot. */
function withPauseOver<State extends TimeState>(
  state: State,
  config: State['config'],
  atMs: number,
): State {
  const { pausedAtMs } = state.config;
  if (pausedAtMs === null || pausedAtMs >= atMs) return { ...state, config };
  const period: ExcludedPeriod = { state: 'paused', fromMs: pausedAtMs, toMs: atMs };
  return {
    ...state,
    config,
    excludedPeriods: [...state.excludedPeriods, period].slice(-EXCLUDED_PERIODS_MAX),
  };
}

/**
 * Drops the slots of the pause, and remembers earlier slots as skipped. A resource that was never checked stays due at
 * once.
 */
function withoutPausedSlots<State extends TimeState>(
  state: State,
  { fromMs, toMs }: { readonly fromMs: number | null; readonly toMs: number },
): State {
  const { lastSlotMs, config, skipped } = state;
  if (lastSlotMs === null) return state;
  const passed = findSlotAtOrBefore(config, toMs);
  if (findSlotAfter(config, lastSlotMs) > passed) return state;
  const beforeMs = Math.min(fromMs ?? lastSlotMs, toMs) + 1;
  const before = findMissedGap(listGrids(state), { lastSlotMs, beforeMs });
  return { ...state, lastSlotMs: passed, skipped: joinGaps(skipped, before) };
}
