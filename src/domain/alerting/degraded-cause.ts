/** Explains in one sentence why a check that passed counts as degraded. Pure. */

import type { StepOutcome } from '../../contracts/outcome';
import type { IncidentRecord } from '../../contracts/records';

/**
 * Returns the first failed assertion of severity `degraded`. If there is none, returns a sentence about the slow
 * response. null means that the check is not degraded. `limitMs` is the limit of the response time, or null if the
 * check has none.
 */
export function findDegradedCause(
  {
    status,
    assertions,
    responseTimeMs,
  }: Pick<StepOutcome, 'status' | 'assertions' | 'responseTimeMs'>,
  limitMs: number | null,
): IncidentRecord['cause'] {
  if (status !== 'degraded') return null;
  const broken = assertions.find(({ ok }) => !ok);
  if (broken !== undefined) return { code: 'assertion_failed', message: broken.message };
  if (responseTimeMs === null) return null;
  return { code: 'assertion_failed', message: describeSlowness(responseTimeMs, limitMs) };
}

/** Times are rounded up, so that a response just above its limit does not seem to be within it. */
export function describeSlowness(responseTimeMs: number, limitMs: number | null): string {
  const took = `Response took ${withThousands(Math.ceil(responseTimeMs))} ms`;
  // The limit may have changed since the check.
  const isKnown = limitMs !== null && responseTimeMs > limitMs;
  return isKnown ? `${took} (limit ${withThousands(limitMs)} ms).` : `${took}, above its limit.`;
}

function withThousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
