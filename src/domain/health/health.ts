/** Computes the health after a slot from its outcomes. Pure. Never reports down without an observation. */
import type { MonitorRules } from '../../contracts/definition';
import type { CheckStatus } from '../../contracts/outcome';
import type { Health, RegionHealth, RunStatus } from '../../contracts/records';
import type { HealthState } from '../../contracts/workflows';

export interface HealthRule extends MonitorRules {
  /** How many regions must fail in one slot for the slot to count as failed. */
  readonly quorum: number;
}

/** The observation of one region in a slot. */
export interface Observation {
  readonly region: string;
  readonly status: CheckStatus;
  readonly responseTimeMs: number | null;
}

export interface SlotObservations {
  readonly atMs: number;
  readonly observations: readonly Observation[];
}

/** The rule of scenarios: the health follows each slot at once. */
export const EVERY_SLOT_COUNTS: HealthRule = {
  quorum: 1,
  failuresBeforeDown: 1,
  successesBeforeUp: 1,
};

/**
 * The limit of streaks. Rules compare streaks with at most 10, so a small limit is enough and keeps the stored numbers
 * small.
 */
const STREAK_MAX = 1_000;

/** Returns the health of a resource that was never checked. */
export function createPendingHealth(sinceMs: number): HealthState {
  return {
    health: 'pending',
    lastKnown: 'pending',
    sinceMs,
    failures: 0,
    successes: 0,
    regions: [],
  };
}

/**
 * Returns the health after one slot. Unknown outcomes do not count. If all outcomes are unknown, the health is unknown
 * and the streaks do not change. `sinceMs` moves only when the health changes, and never backwards.
 */
export function nextHealth(
  state: HealthState,
  slot: SlotObservations,
  rule: HealthRule,
): HealthState {
  const verdict = judgeObservations(slot.observations, rule.quorum);
  const regions = nextRegions(state.regions, slot);
  const { failures, successes } = nextStreaks(state, verdict);
  if (verdict === 'unknown') return withHealth({ ...state, regions }, 'unknown', slot.atMs);
  const known = decideHealth({ ...state, failures, successes }, verdict, rule);
  return withHealth({ ...state, failures, successes, regions, lastKnown: known }, known, slot.atMs);
}

/** True for a health in which the target responds, which ends an incident. */
export function isResponding(health: Health): boolean {
  return health === 'up' || health === 'degraded';
}

/**
 * Derives the status of the target from a finished run. Errors of Keepwatch itself and cancelled runs count as unknown.
 */
export function judgeRun(status: RunStatus): CheckStatus {
  switch (status) {
    case 'passed':
      return 'up';
    case 'degraded':
      return 'degraded';
    case 'failed':
    case 'timed_out':
      return 'down';
    case 'queued':
    case 'running':
    case 'waiting':
    case 'cancelled':
    case 'error':
      return 'unknown';
  }
}

/**
 * Returns the status of the slot: down if enough regions fail, up if all known outcomes are up, and otherwise degraded.
 * If no outcome is known, the status is unknown.
 */
function judgeObservations(observations: readonly Observation[], quorum: number): CheckStatus {
  const known = observations.filter(({ status }) => status !== 'unknown');
  if (known.length === 0) return 'unknown';
  const failing = known.filter(({ status }) => status === 'down').length;
  if (failing >= quorum) return 'down';
  return known.every(({ status }) => status === 'up') ? 'up' : 'degraded';
}

function nextStreaks(
  { failures, successes }: HealthState,
  verdict: CheckStatus,
): Pick<HealthState, 'failures' | 'successes'> {
  if (verdict === 'unknown') return { failures, successes };
  if (verdict === 'down') return { failures: Math.min(failures + 1, STREAK_MAX), successes: 0 };
  return { failures: 0, successes: Math.min(successes + 1, STREAK_MAX) };
}

function decideHealth(
  { lastKnown, failures, successes }: HealthState,
  verdict: Exclude<CheckStatus, 'unknown'>,
  rule: HealthRule,
): HealthState['lastKnown'] {
  if (verdict === 'down') return failures >= rule.failuresBeforeDown ? 'down' : lastKnown;
  return lastKnown === 'down' && successes < rule.successesBeforeUp ? 'down' : verdict;
}

/** Returns the last observation of each region. Regions that were not checked keep their previous observation. */
function nextRegions(
  before: readonly RegionHealth[],
  { atMs, observations }: SlotObservations,
): readonly RegionHealth[] {
  const seen = observations.map((observation) => nextRegion(before, observation, atMs));
  const others = before.filter(({ region }) => !seen.some((entry) => entry.region === region));
  return [...others, ...seen].sort((a, b) => (a.region < b.region ? -1 : 1));
}

function nextRegion(
  before: readonly RegionHealth[],
  { region, status, responseTimeMs }: Observation,
  atMs: number,
): RegionHealth {
  const former = before.find((entry) => entry.region === region);
  if (former === undefined)
    return { region, health: status, sinceMs: atMs, lastResponseTimeMs: responseTimeMs };
  const lastResponseTimeMs = responseTimeMs ?? former.lastResponseTimeMs;
  return { ...withHealth(former, status, atMs), lastResponseTimeMs };
}

function withHealth<State extends { readonly health: Health; readonly sinceMs: number }>(
  state: State,
  health: Health,
  atMs: number,
): State {
  if (state.health === health) return state;
  return { ...state, health, sinceMs: Math.max(state.sinceMs, atMs) };
}

/** Returns the slowest of the regions' last response times. null means that no region has measured one. */
export function findSlowestResponseMs(
  regions: readonly Pick<RegionHealth, 'lastResponseTimeMs'>[],
): number | null {
  const times = regions.flatMap(({ lastResponseTimeMs }) => lastResponseTimeMs ?? []);
  return times.length === 0 ? null : Math.max(...times);
}
