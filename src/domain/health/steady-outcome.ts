/**
 * Decides whether a monitor is steady, which means that the outcome of each slot looks like the previous one. Pure;
 * workflows and probes use the same rules.
 */
import { HTTP_METHODS, isIdempotent } from '../../contracts/definition';
import { isNetworkMethod } from '../../contracts/kinds';
import type { StepOutcome } from '../../contracts/outcome';
import type { SteadyOutcome, Watch, WatchEnd } from '../../contracts/watches';
import { isProbeOutcome } from './outcome-shape';
import { type Grid, isOnGrid } from './schedule';

/**
 * Describes the outcome that is expected at the next slot. null means that a watch (an activity that repeats steady
 * checks) is not allowed to make these checks.
 */
export function readSteadyOutcome(outcome: StepOutcome): SteadyOutcome | null {
  const { status, assertions, failure, tls, request } = outcome;
  // If its probe is lost, a watch may send the request of a slot twice. Therefore only repeatable requests are allowed.
  if (status === 'unknown' || !isRepeatable(request?.method ?? '')) return null;
  return {
    status,
    failure: failure?.code ?? null,
    assertions: assertions.map(({ ok }) => ok),
    fingerprint: tls?.fingerprint ?? null,
  };
}

/** True if the request may be repeated. Checks of types other than HTTP may always be repeated. */
function isRepeatable(given: string): boolean {
  const method = HTTP_METHODS.find((one) => one === given);
  return method === undefined ? isNetworkMethod(given) : isIdempotent(method);
}

export function isSameOutcome(one: SteadyOutcome | null, other: SteadyOutcome): boolean {
  if (one === null || one.status !== other.status || one.failure !== other.failure) return false;
  const { assertions, fingerprint } = other;
  return (
    one.fingerprint === fingerprint &&
    one.assertions.length === assertions.length &&
    one.assertions.every((ok, index) => ok === assertions[index])
  );
}

/** Describes the outcome for operators, for example `up 200 in 35 ms, slot 12:00:10Z`. Contains no URL. */
export function describeOutcome(
  { status, response, responseTimeMs }: StepOutcome,
  slotMs: number,
): string {
  const code = response?.status == null ? '' : ` ${response.status}`;
  const time = responseTimeMs === null ? '' : ` in ${Math.round(responseTimeMs)} ms`;
  return `${status}${code}${time}, slot ${new Date(slotMs).toISOString().slice(11, 19)}Z`;
}

/** Limits for the slots that a probe may report when its watch ends. */
export interface WatchBounds extends Pick<Watch, 'firstSlotMs' | 'intervalMs'> {
  readonly nowMs: number;
  /** The grid with which the watch continued after its slots had changed. Absent if the slots have not changed. */
  readonly later?: Grid;
}

/**
 * True for a slot on a grid of the watch. The slot may be at most one slot before the first slot of the watch, and at
 * most one interval after now.
 */
function isWatchedSlot(
  slotMs: number,
  { firstSlotMs, intervalMs, nowMs, later }: WatchBounds,
): boolean {
  const beforeMs = firstSlotMs - intervalMs;
  if (later !== undefined && slotMs >= later.anchorMs) {
    const isDue = slotMs > beforeMs && slotMs <= nowMs + later.intervalMs;
    return isDue && isOnGrid(later, slotMs);
  }
  const isFirst = (slotMs - firstSlotMs) % intervalMs === 0;
  return isFirst && slotMs >= beforeMs && slotMs <= nowMs + intervalMs;
}

/**
 * The end of a watch whose probe has sent no valid report. The caller must read the stored results from the database.
 */
export const UNCONFIRMED_END: WatchEnd = {
  lastStoredMs: null,
  responseTimeMs: null,
  found: null,
  isConfirmed: false,
};

/**
 * Reads the end of a watch from the report of its probe. An impossible report is ignored, because other people may run
 * the probe.
 */
export function readWatchEnd(reported: unknown, bounds: WatchBounds): WatchEnd {
  if (typeof reported !== 'object' || reported === null) return UNCONFIRMED_END;
  const given: Partial<Record<keyof WatchEnd, unknown>> = reported;
  const { lastStoredMs, responseTimeMs, isConfirmed } = given;
  const found = given.found === null ? null : readFound(given.found, bounds);
  const isWrong =
    !isStoredSlot(lastStoredMs, bounds) ||
    !isResponseTime(responseTimeMs) ||
    typeof isConfirmed !== 'boolean' ||
    (found === null && given.found !== null);
  return isWrong ? UNCONFIRMED_END : { lastStoredMs, responseTimeMs, found, isConfirmed };
}

function isStoredSlot(slotMs: unknown, bounds: WatchBounds): slotMs is number | null {
  return slotMs === null || (typeof slotMs === 'number' && isWatchedSlot(slotMs, bounds));
}

function isResponseTime(ms: unknown): ms is number | null {
  return ms === null || (typeof ms === 'number' && ms >= 0);
}

function readFound(found: unknown, bounds: WatchBounds): WatchEnd['found'] {
  if (typeof found !== 'object' || found === null) return null;
  const { slotMs, outcome }: { slotMs?: unknown; outcome?: unknown } = found;
  if (typeof slotMs !== 'number' || !isWatchedSlot(slotMs, bounds)) return null;
  return isProbeOutcome(outcome, bounds.nowMs) ? { slotMs, outcome } : null;
}
