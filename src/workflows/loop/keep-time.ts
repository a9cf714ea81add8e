/**
 * What a monitor or scenario workflow does next, decided from its state and the time. Pure: the
 * workflows act on the answer, and signal handlers change the state through the functions here.
 */

import type { Backlog } from '../../contracts/backlog';
import type {
  MaintenancePlan,
  MaintenanceSpan,
  MaintenanceState,
} from '../../contracts/maintenance';
import type { ExcludedPeriod, Gap, OperatorChange } from '../../contracts/records';
import type { HealthState, PauseNote, ScheduleConfig } from '../../contracts/workflows';
import { type HealthRule, nextHealth, type SlotObservations } from '../../domain/health/health';
import {
  followPlan,
  modeAt,
  nextEdgeMs,
  replacePlan,
  restEndsMs,
} from '../../domain/health/maintenance';
import {
  joinGaps,
  passedGap,
  planSlot,
  slotAfter,
  slotAtOrBefore,
} from '../../domain/health/schedule';

/** The part of a state that keeps time. */
export interface TimeState {
  readonly config: ScheduleConfig;
  readonly health: HealthState;
  readonly lastSlotMs: number | null;
  readonly checkedRevision: number | null;
  readonly excludedPeriods: readonly ExcludedPeriod[];
  /** Slots that nobody checked before a pause began; recorded with the next slot. */
  readonly skipped: Gap | null;
  readonly maintenance: MaintenanceState;
  readonly operatorChange: OperatorChange | null;
  readonly backlog: Backlog;
}

export type NextAct =
  /** A pause has reached its end. */
  | { readonly kind: 'resume' }
  /** Maintenance has begun or ended. */
  | { readonly kind: 'maintenance' }
  /** A slot of the grid is due. */
  | { readonly kind: 'slot'; readonly slotMs: number; readonly gap: Gap | null }
  /** The definition was saved between two slots. */
  | { readonly kind: 'save' }
  /** Nothing before this instant; null: nothing until a signal comes. */
  | { readonly kind: 'wait'; readonly untilMs: number | null };

/** The next act by the clock; requests by people are not its business. */
export function nextAct(state: TimeState, nowMs: number): NextAct {
  const { config, checkedRevision, lastSlotMs } = state;
  if (config.paused) {
    const { pausedUntilMs } = config;
    if (pausedUntilMs === null || nowMs < pausedUntilMs)
      return { kind: 'wait', untilMs: pausedUntilMs };
    return { kind: 'resume' };
  }
  const edgeMs = nextEdgeMs(state.maintenance);
  if (edgeMs !== null && edgeMs <= nowMs) return { kind: 'maintenance' };
  if (isResting(state)) return { kind: 'wait', untilMs: edgeMs };
  const { dueAtMs, gap } = planSlot({ ...config, lastSlotMs, nowMs });
  if (dueAtMs <= nowMs) return { kind: 'slot', slotMs: dueAtMs, gap: joinGaps(state.skipped, gap) };
  if (checkedRevision !== config.revision && checkedRevision !== null) return { kind: 'save' };
  return { kind: 'wait', untilMs: edgeMs === null ? dueAtMs : Math.min(dueAtMs, edgeMs) };
}

/** The state in which the slot is under way; what its check outlasts comes after it. */
export function withSlotBegun<State extends TimeState>(state: State, slotMs: number): State {
  return { ...state, lastSlotMs: Math.max(slotMs, state.lastSlotMs ?? slotMs), skipped: null };
}

/**
 * Until when a check that ends now has outlasted slots: a pause that has begun ends the count. null:
 * maintenance has begun or ended meanwhile; its end names the slots before it.
 */
export function outlastedUntilMs(state: TimeState, nowMs: number): number | null {
  const { paused, pausedAtMs } = state.config;
  const edgeMs = nextEdgeMs(state.maintenance);
  if (isResting(state) || (edgeMs !== null && edgeMs <= nowMs)) return null;
  return paused ? Math.min(nowMs, pausedAtMs ?? nowMs) : nowMs;
}

/** True while maintenance forbids checks. */
export function isResting({ maintenance }: TimeState): boolean {
  return maintenance.current?.mode === 'pause';
}

/** The instant of the next check as people see it; null while paused. */
export function nextSlotMs(state: TimeState, nowMs: number): number | null {
  const { config, lastSlotMs, maintenance } = state;
  if (config.paused) return null;
  const restedMs = restEndsMs(maintenance);
  if (restedMs !== null) return slotAfter(config, restedMs - 1);
  return planSlot({ ...config, lastSlotMs, nowMs }).dueAtMs;
}

/** True when the check of this slot is the first one of what people saved. */
export function isFirstAfterSave({ config, checkedRevision }: TimeState, slotMs: number): boolean {
  return checkedRevision !== config.revision || slotMs === config.anchorMs;
}

/**
 * Counts the slots of a workflow that starts from now on: the slot in which it starts is due at
 * once, and only later ones can be missed.
 */
export function withFirstSlot<State extends TimeState>(state: State, startedAtMs: number): State {
  const { config, lastSlotMs } = state;
  if (lastSlotMs !== null || config.paused || startedAtMs < config.anchorMs) return state;
  return { ...state, lastSlotMs: slotAtOrBefore(config, startedAtMs) - config.intervalMs };
}

/** What was seen in a slot, without the regions that were taken out since it was asked for. */
export function withoutFormerRegions<Seen extends { readonly region: string }>(
  { config }: TimeState,
  asked: readonly string[],
  seen: readonly Seen[],
): readonly Seen[] {
  return seen.filter(({ region }) => config.regions.includes(region) || !asked.includes(region));
}

/**
 * The health after a slot; without observations it stays. The rule and the regions are those in
 * force now: the configuration may have changed while the slot was under way.
 */
export function healthAfter(
  { config, health }: TimeState,
  slot: SlotObservations,
  rule: HealthRule,
): HealthState {
  const next = slot.observations.length === 0 ? health : nextHealth(health, slot, rule);
  const regions = next.regions.filter(({ region }) => config.regions.includes(region));
  return { ...next, regions };
}

/** Takes over a configuration; one that is not newer than the one in force changes nothing. */
export function withConfig<State extends TimeState>(
  state: State,
  config: State['config'],
  nowMs: number,
): State {
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

/** The instant that people are shown: when it was saved, not when this workflow heard of it. */
function resumedAtMs(before: ScheduleConfig, after: ScheduleConfig, nowMs: number): number {
  const ends = [nowMs, after.savedAtMs, before.pausedUntilMs ?? nowMs];
  return Math.max(before.pausedAtMs ?? 0, Math.min(...ends.filter(Number.isFinite)));
}

/** Pauses until further notice, as operators ask for by a signal of their own. */
export function withPause<State extends TimeState>(state: State, nowMs: number): State {
  const pausedAtMs = state.config.pausedAtMs ?? nowMs;
  const config = { ...state.config, paused: true, pausedAtMs, pausedUntilMs: null };
  return { ...state, config };
}

/** Ends a pause as of `atMs`; slots inside the pause are neither run nor missed. */
export function withResume<State extends TimeState>(state: State, atMs: number): State {
  if (!state.config.paused) return state;
  const config = { ...state.config, paused: false, pausedAtMs: null, pausedUntilMs: null };
  const { pausedAtMs: fromMs } = state.config;
  return withoutPausedSlots(withPauseOver(state, config, atMs), { fromMs, toMs: atMs });
}

/** Does what maintenance is due: excluded periods that end are remembered, slots inside a rest are done with. */
export function withMaintenance<State extends TimeState>(state: State, nowMs: number): State {
  const followed = followPlan(state.maintenance, nowMs);
  const excludedPeriods = [...state.excludedPeriods, ...followed.ended].slice(
    -EXCLUDED_PERIODS_MAX,
  );
  const next = { ...state, maintenance: followed.state, excludedPeriods };
  const { checkedFromMs } = followed;
  if (checkedFromMs === null) return next;
  const beganMs = followed.ended.map(({ fromMs }) => fromMs - 1);
  const fromMs = beganMs.length === 0 ? null : Math.min(...beganMs);
  // A slot at the very end of the rest is due again.
  return withoutPausedSlots(next, { fromMs, toMs: checkedFromMs - 1 });
}

/** Takes over a plan as of now; what it says of the past is of no account. */
export function withPlan<State extends TimeState>(
  state: State,
  plan: MaintenancePlan,
  nowMs: number,
): State {
  const followed = withMaintenance(state, nowMs);
  const maintenance = replacePlan(followed.maintenance, plan);
  const next = withMaintenance({ ...followed, maintenance }, nowMs);
  const isNew = (period: ExcludedPeriod): boolean => !followed.excludedPeriods.includes(period);
  return {
    ...next,
    excludedPeriods: next.excludedPeriods.map((one) => (isNew(one) ? endedAt(one, plan) : one)),
  };
}

/** What a plan ends early was over when the plan was made, as people are shown. */
function endedAt(period: ExcludedPeriod, { asOfMs }: MaintenancePlan): ExcludedPeriod {
  return { ...period, toMs: Math.max(period.fromMs, Math.min(period.toMs, asOfMs)) };
}

/** True for a check or run that begins at this instant. */
export function isInMaintenance({ maintenance }: TimeState, atMs: number): boolean {
  return modeAt(maintenance, atMs) !== null;
}

/** True for a plan of maintenance as it comes by signal. */
export function isMaintenancePlan(plan: unknown): plan is MaintenancePlan {
  if (typeof plan !== 'object' || plan === null) return false;
  const { asOfMs, spans }: Partial<Record<keyof MaintenancePlan, unknown>> = plan;
  return Number.isFinite(asOfMs) && Array.isArray(spans) && spans.every(isMaintenanceSpan);
}

function isMaintenanceSpan(span: unknown): boolean {
  if (typeof span !== 'object' || span === null) return false;
  const given: Partial<Record<keyof MaintenanceSpan, unknown>> = span;
  const isModeKnown = given.mode === 'mute' || given.mode === 'pause';
  return isModeKnown && Number.isFinite(given.fromMs) && Number.isFinite(given.toMs);
}

/** Pauses that end faster than anything is recorded; the oldest are forgotten then. */
const EXCLUDED_PERIODS_MAX = 50;

/** Remembers the pause that ends, until the next slot tells the database of it. */
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
 * Slots that passed in the pause are done with, and those before it are remembered as skipped; what
 * was never checked stays due at once.
 */
function withoutPausedSlots<State extends TimeState>(
  state: State,
  { fromMs, toMs }: { readonly fromMs: number | null; readonly toMs: number },
): State {
  const { lastSlotMs, config, skipped } = state;
  if (lastSlotMs === null) return state;
  const passed = slotAtOrBefore(config, toMs);
  if (slotAfter(config, lastSlotMs) > passed) return state;
  const nowMs = Math.min(fromMs ?? lastSlotMs, toMs);
  const before = passedGap({ ...config, lastSlotMs, nowMs }, 'missed');
  return { ...state, lastSlotMs: passed, skipped: joinGaps(skipped, before) };
}

/** True for the plain JSON that `pause` takes from operators, and for nothing at all. */
export function isPauseNote(note: unknown): note is PauseNote | undefined {
  if (note === undefined || note === null) return true;
  if (typeof note !== 'object' || Array.isArray(note)) return false;
  return Object.entries(note).every(
    ([name, value]) => (name === 'by' || name === 'reason') && typeof value === 'string',
  );
}

/** The first fault of a configuration that came from outside, or null. */
export function findConfigProblem(config: unknown, id: string): string | null {
  if (typeof config !== 'object' || config === null) return 'the configuration must be an object';
  const given: Partial<Record<keyof ScheduleConfig, unknown>> = config;
  if (given.id !== id) return 'the configuration belongs to something else';
  for (const name of ['version', 'revision', 'intervalMs', 'anchorMs'] as const) {
    if (typeof given[name] !== 'number' || !Number.isFinite(given[name]))
      return `${name} must be a number`;
  }
  if (Number(given.intervalMs) < 1_000) return 'intervalMs must be at least 1000';
  if (typeof given.paused !== 'boolean') return 'paused must be true or false';
  if (given.maintenance !== null && !isMaintenancePlan(given.maintenance))
    return 'maintenance must be a plan or null';
  const { regions } = given;
  const areNames = Array.isArray(regions) && regions.every((region) => typeof region === 'string');
  return areNames && regions.length > 0 ? null : 'regions must name at least one region';
}
