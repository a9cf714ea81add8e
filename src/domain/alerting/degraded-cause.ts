/** Explains in one sentence why a check that passed counts as degraded. Pure. */

import type { StepOutcome } from '../../contracts/outcome';
import type { IncidentRecord } from '../../contracts/records';

/**
 * Returns the first failed assertion of severity `degraded`, or else the response time. null means that the check is
 * not degraded.
 */
export function degradedCause({
  status,
  assertions,
  responseTimeMs,
}: Pick<StepOutcome, 'status' | 'assertions' | 'responseTimeMs'>): IncidentRecord['cause'] {
  if (status !== 'degraded') return null;
  const broken = assertions.find(({ ok }) => !ok);
  if (broken !== undefined) return { code: 'assertion_failed', message: broken.message };
  if (responseTimeMs === null) return null;
  const message = `Response took ${Math.round(responseTimeMs)} ms, above its limit.`;
  return { code: 'assertion_failed', message };
}
