/**
 * What makes the checks of a monitor quiet: each looks like the one before, so that nothing has to be
 * decided. Pure; workflows and probes judge by the same rules.
 */
import { HTTP_METHODS, isIdempotent } from '../../contracts/definition';
import type { StepOutcome } from '../../contracts/outcome';
import type {
  Watch,
  WatchEnd,
  SteadyOutcome,
  QuietMark,
} from '../../contracts/watches';
import { isProbeOutcome } from './outcome-shape';
import { planSlot, type SlotPlan } from './schedule';

/** What the next check is expected to look like; null: the quiet is not for such a check. */
export function expectationOf(outcome: StepOutcome): SteadyOutcome | null {
  const { status, assertions, attempts, failure, tls, request } = outcome;
  const isPassed = status === 'up' || status === 'degraded';
  const method = HTTP_METHODS.find((one) => one === request?.method);
  // A slot may be sent twice when a probe is lost.
  const isRepeatable = method !== undefined && isIdempotent(method);
  if (!isPassed || failure !== null || attempts.length !== 1 || !isRepeatable) return null;
  return {
    status,
    assertions: assertions.map(({ ok }) => ok),
    fingerprint: tls?.fingerprint ?? null,
  };
}

export function isSameExpectation(one: SteadyOutcome | null, other: SteadyOutcome): boolean {
  if (one === null || one.status !== other.status) return false;
  const { assertions, fingerprint } = other;
  return (
    one.fingerprint === fingerprint &&
    one.assertions.length === assertions.length &&
    one.assertions.every((ok, index) => ok === assertions[index])
  );
}

/** The slot after the last one whose result is stored. */
export function dueSlotMs(
  { firstSlotMs, intervalMs }: Pick<Watch, 'firstSlotMs' | 'intervalMs'>,
  mark: QuietMark | null,
): number {
  return mark === null ? firstSlotMs : mark.lastSlotMs + intervalMs;
}

/**
 * What an attempt is for: the newest slot that is due, and those since the last stored one that nobody checked,
 * as the workflow plans its own.
 */
export function nextQuietSlot(check: Watch, mark: QuietMark | null, nowMs: number): SlotPlan {
  const { firstSlotMs: anchorMs, intervalMs } = check;
  const lastSlotMs = mark?.lastSlotMs ?? anchorMs - intervalMs;
  return planSlot({ anchorMs, intervalMs, lastSlotMs, nowMs });
}

/** `up 200 in 35 ms, slot 12:00:10Z`, as operators read it; no address and no value of a check. */
export function describeQuietCheck(
  { status, response, responseTimeMs }: StepOutcome,
  slotMs: number,
): string {
  const code = response === null ? '' : ` ${response.status}`;
  const time = responseTimeMs === null ? '' : ` in ${Math.round(responseTimeMs)} ms`;
  return `${status}${code}${time}, slot ${new Date(slotMs).toISOString().slice(11, 19)}Z`;
}

/** Slots that a mark or a measurement of quiet checks may be of. */
export interface QuietBounds extends Pick<Watch, 'firstSlotMs' | 'intervalMs'> {
  readonly nowMs: number;
}

/** On the grid, not before the slot before the first, and not to come. */
function isQuietSlot(slotMs: number, { firstSlotMs, intervalMs, nowMs }: QuietBounds): boolean {
  const isOnGrid = (slotMs - firstSlotMs) % intervalMs === 0;
  return isOnGrid && slotMs >= firstSlotMs - intervalMs && slotMs <= nowMs + intervalMs;
}

/** What a probe left of its quiet checks; null for anything that cannot be. */
export function readQuietMark(details: unknown, bounds: QuietBounds): QuietMark | null {
  const mark = toQuietMark(details);
  if (mark === null || !isQuietSlot(mark.lastSlotMs, bounds)) return null;
  return mark.responseTimeMs === null || mark.responseTimeMs >= 0 ? mark : null;
}

/** How a probe says that its quiet checks ended; whatever is no such ending leaves the database to ask. */
export function readQuietEnding(reported: unknown, bounds: QuietBounds): WatchEnd {
  const unsure = { mark: null, found: null, isGone: false, isSure: false };
  if (typeof reported !== 'object' || reported === null) return unsure;
  const given: Partial<Record<keyof WatchEnd, unknown>> = reported;
  const mark = given.mark === null ? null : readQuietMark(given.mark, bounds);
  const found = given.found === null ? null : readFound(given.found, bounds);
  const isWrong =
    (mark === null && given.mark !== null) || (found === null && given.found !== null);
  if (isWrong || typeof given.isSure !== 'boolean' || typeof given.isGone !== 'boolean')
    return unsure;
  const { isSure, isGone, isStillQuiet } = given;
  return { mark, found, isGone, isSure, ...(isStillQuiet === true && { isStillQuiet }) };
}

function readFound(found: unknown, bounds: QuietBounds): WatchEnd['found'] {
  if (typeof found !== 'object' || found === null) return null;
  const { slotMs, outcome }: { slotMs?: unknown; outcome?: unknown } = found;
  if (typeof slotMs !== 'number' || !isQuietSlot(slotMs, bounds)) return null;
  return isProbeOutcome(outcome, bounds.nowMs) ? { slotMs, outcome } : null;
}

/** What an earlier attempt left, or null for anything else. */
export function toQuietMark(details: unknown): QuietMark | null {
  if (typeof details !== 'object' || details === null) return null;
  const given: Partial<Record<keyof QuietMark, unknown>> = details;
  const { lastSlotMs, responseTimeMs, lateSlotMs } = given;
  if (typeof lastSlotMs !== 'number' || !Number.isFinite(lastSlotMs)) return null;
  return {
    lastSlotMs,
    responseTimeMs: typeof responseTimeMs === 'number' ? responseTimeMs : null,
    ...(typeof lateSlotMs === 'number' && { lateSlotMs }),
  };
}
