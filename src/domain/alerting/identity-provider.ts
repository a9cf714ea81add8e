/**
 * Decides when an identity provider is down for an account. One episode covers all checks that cannot sign in. Pure.
 */
import type {
  BlockedCheck,
  ProviderEpisode,
  ProviderState,
  SignInFailure,
} from '../../contracts/alerting/identity-providers';
import type { SignInFault } from '../../contracts/outcome';
import type { Health } from '../../contracts/records';
import { OUTAGE_GAP_MS } from '../health/joined-outages';

/**
 * A provider with two episodes in this time is flapping. Its episode ends only after no check has failed for a while.
 */
const FLAPPING_MS = 3_600_000;
/** How many checks an incident lists at most. */
const LISTED_MAX = 200;

export const NO_PROVIDER_STATE: ProviderState = { episode: null, openingsMs: [], lastFailedMs: 0 };

/** The stored state of a check that could not sign in. */
export interface SeenCheck extends BlockedCheck {
  /** True if the check is paused or is being deleted. */
  readonly isPaused: boolean;
  readonly revision: number;
  readonly regions: readonly string[];
  readonly seen: readonly {
    readonly region: string;
    readonly health: Health;
    readonly sinceMs: number;
    /** The last stored slot of the region. */
    readonly slotMs: number;
  }[];
}

export interface JudgedFailure {
  readonly failure: SignInFailure;
  /**
   * `failing`: the check still cannot sign in. `passed`: the check can sign in again. `refused`: the provider responds
   * but refuses the check's credentials. `unused`: the check no longer depends on the provider.
   */
  readonly verdict: 'failing' | 'passed' | 'refused' | 'unused';
  /**
   * When the verdict began to apply. For `failing`, the first of the consecutive failing slots. For `passed` and
   * `refused`, the slot that proves the verdict.
   */
  readonly atMs: number;
}

/**
 * Judges a failure by the newest state of its check. The check can sign in again if it has sent its request in a later
 * slot. `check` is undefined if the check was deleted. `refusedMs` is the last slot in which the provider refused the
 * check's credentials, or 0.
 */
export function judgeFailure(
  failure: SignInFailure,
  check: SeenCheck | undefined,
  refusedMs = 0,
): JudgedFailure {
  const { resourceType, region, firstSlotMs, lastSlotMs } = failure;
  const unused = { failure, verdict: 'unused', atMs: lastSlotMs } as const;
  const failing = { failure, verdict: 'failing', atMs: firstSlotMs } as const;
  if (check === undefined || check.isPaused || !check.regions.includes(region)) return unused;
  if (failure.problem === 'unavailable' && refusedMs > lastSlotMs)
    return { failure, verdict: 'refused', atMs: refusedMs };
  const known = check.seen.find((one) => one.region === region);
  if (known === undefined) return failing;
  const { health, sinceMs, slotMs } = known;
  // True if the request after the sign-in was sent. For a scenario, a failed run does not prove this, because the run
  // may have failed before its sign-in.
  const hasSent =
    health === 'up' || health === 'degraded' || (health === 'down' && resourceType === 'monitor');
  if (slotMs <= lastSlotMs) {
    // A manual check changes the health, but not the last slot of the grid.
    if (hasSent && sinceMs > lastSlotMs) return { failure, verdict: 'passed', atMs: sinceMs };
    // The health became unknown after the failure, or the health after the failure is not stored yet.
    if (health === 'unknown') return { ...failing, atMs: Math.max(firstSlotMs, sinceMs) };
    return slotMs >= firstSlotMs ? { ...failing, atMs: lastSlotMs } : failing;
  }
  if (hasSent) return { failure, verdict: 'passed', atMs: slotMs };
  return check.revision === failure.revision ? failing : unused;
}

export interface ProviderTurn {
  readonly state: ProviderState;
  /** Failures that can be removed from the list. */
  readonly dropped: readonly SignInFailure[];
}

export interface ProviderNow {
  readonly nowMs: number;
  /** The id of the incident if an episode begins now. */
  readonly incidentId: string;
  readonly formatName: (failure: SignInFailure) => string;
}

/**
 * Returns the next state of a provider. An episode begins when a check cannot sign in for two slots in a row. It ends
 * when no check fails any more. If the provider was only unavailable, one later sign-in of another check, accepted or
 * refused, is enough to end the episode.
 */
export function nextProvider(
  before: ProviderState,
  judged: readonly JudgedFailure[],
  now: ProviderNow,
): ProviderTurn {
  const lastFailedMs = Math.max(
    before.lastFailedMs,
    ...judged.map(({ failure }) => failure.lastSlotMs),
  );
  const state = { ...before, lastFailedMs };
  const fresh = judged.filter((one) => !isStale(one, before.episode));
  const failing = fresh.filter(({ verdict }) => verdict === 'failing');
  const proofs = fresh.filter(({ verdict }) => verdict === 'passed' || verdict === 'refused');
  const passedMs = Math.max(0, ...proofs.map(({ atMs }) => atMs));
  const isRefused = proofs.length > 0 && proofs.every(({ verdict }) => verdict === 'refused');
  const isProven = failing.every(
    ({ failure }) => failure.problem === 'unavailable' && failure.lastSlotMs < passedMs,
  );
  const dropped = judged.filter((one) => isProven || !failing.includes(one));
  const turn = { dropped: dropped.map(({ failure }) => failure) };
  const { episode } = before;
  if (episode === null || episode.closedAtMs !== null)
    return { ...turn, state: isProven ? state : begin(state, failing, now) };
  if (!isProven)
    return { ...turn, state: { ...state, episode: withChecks(unproven(episode), failing, now) } };
  // Without a proof that the provider works again, the last failing checks were paused or deleted, or now use another
  // provider.
  const { provenAtMs = passedMs } = episode;
  const isUnused = provenAtMs === 0;
  if (!isUnused && isFlapping(state, now.nowMs))
    return { ...turn, state: { ...state, episode: proven(episode, provenAtMs, isRefused) } };
  const endedAtMs = passedMs === 0 ? now.nowMs : passedMs;
  const isOnlyRefused = isRefused || (proofs.length === 0 && episode.isOnlyRefused === true);
  const end = isUnused ? 'unused' : 'refused';
  const ended = isUnused || isOnlyRefused ? ({ ended: end } as const) : {};
  const closedAtMs = Math.max(endedAtMs, episode.openedAtMs);
  return { ...turn, state: { ...state, episode: { ...episode, ...ended, closedAtMs } } };
}

function proven(episode: ProviderEpisode, provenAtMs: number, isRefused: boolean): ProviderEpisode {
  if (episode.provenAtMs !== undefined) return episode;
  return { ...episode, provenAtMs, ...(isRefused && { isOnlyRefused: true }) };
}

function unproven(episode: ProviderEpisode): ProviderEpisode {
  if (episode.provenAtMs === undefined) return episode;
  const { provenAtMs: _, isOnlyRefused: _isOnlyRefused, ...rest } = episode;
  return rest;
}

/** True for a failure that belongs to an episode that is over. */
function isStale({ failure }: JudgedFailure, episode: ProviderEpisode | null): boolean {
  return episode !== null && failure.firstSlotMs <= (episode.closedAtMs ?? -1);
}

function isFlapping({ openingsMs, lastFailedMs }: ProviderState, nowMs: number): boolean {
  const recent = openingsMs.filter((atMs) => atMs > nowMs - FLAPPING_MS);
  return recent.length > 1 && nowMs - lastFailedMs < OUTAGE_GAP_MS;
}

function begin(
  state: ProviderState,
  failing: readonly JudgedFailure[],
  now: ProviderNow,
): ProviderState {
  const sure = failing.filter(({ failure, atMs }) => atMs < failure.lastSlotMs);
  const [first] = sure.toSorted((a, b) => b.failure.lastSlotMs - a.failure.lastSlotMs);
  if (first === undefined) return state;
  const { tokenUrl, problem, reason, message }: SignInFault & { message: string } = first.failure;
  const openedAtMs = Math.min(...sure.map(({ atMs }) => atMs));
  const episode: ProviderEpisode = {
    tokenUrl,
    problem,
    reason,
    message,
    incidentId: now.incidentId,
    openedAtMs,
    closedAtMs: null,
    regions: [...new Set(sure.map(({ failure }) => failure.region))].toSorted(),
    checkCount: 0,
    checks: [],
    planned: [],
  };
  const openingsMs = [
    ...state.openingsMs.filter((atMs) => atMs > now.nowMs - FLAPPING_MS),
    openedAtMs,
  ];
  return { ...state, openingsMs, episode: withChecks(episode, failing, now) };
}

/** Adds checks to the list of the episode. A check stays in the list until the episode ends. */
function withChecks(
  episode: ProviderEpisode,
  failing: readonly JudgedFailure[],
  { formatName }: ProviderNow,
): ProviderEpisode {
  const checks = new Map(episode.checks.map((check) => [check.resourceId, check]));
  const current = new Set<string>();
  for (const { failure } of failing) {
    const { resourceType, resourceId } = failure;
    current.add(resourceId);
    if (!checks.has(resourceId) && checks.size < LISTED_MAX)
      checks.set(resourceId, { resourceType, resourceId, resourceName: formatName(failure) });
  }
  const checkCount = Math.max(episode.checkCount, checks.size, current.size);
  if (checks.size === episode.checks.length && checkCount === episode.checkCount) return episode;
  return { ...episode, checkCount, checks: [...checks.values()] };
}
