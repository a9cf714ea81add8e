/**
 * What makes the checks of a monitor quiet: each looks like the one before, so that nothing has to be
 * decided. Pure; workflows and probes judge by the same rules.
 */
import { HTTP_METHODS, isIdempotent } from '../../contracts/definition';
import type { StepOutcome } from '../../contracts/outcome';
import type { QuietCheck, QuietExpectation, QuietMark } from '../../contracts/quiet-checks';
import { planSlot, type SlotPlan } from './schedule';

/** What the next check is expected to look like; null: the quiet is not for such a check. */
export function expectationOf(outcome: StepOutcome): QuietExpectation | null {
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

export function isSameExpectation(one: QuietExpectation | null, other: QuietExpectation): boolean {
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
  { firstSlotMs, intervalMs }: Pick<QuietCheck, 'firstSlotMs' | 'intervalMs'>,
  mark: QuietMark | null,
): number {
  return mark === null ? firstSlotMs : mark.lastSlotMs + intervalMs;
}

/**
 * What an attempt is for: the newest slot that is due, and those since the last stored one that nobody checked,
 * as the workflow plans its own.
 */
export function nextQuietSlot(check: QuietCheck, mark: QuietMark | null, nowMs: number): SlotPlan {
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
