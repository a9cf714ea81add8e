/** Builds the outcome of a step for which nothing was measured. */
import type { Failure, StepOutcome } from '../../contracts/outcome';

/** Builds the outcome. Both times are instants (RFC 3339): when the step began, and when it was given up. */
export function createUnmeasuredOutcome(
  status: StepOutcome['status'],
  failure: Failure | null,
  [startedAt, finishedAt]: readonly [string, string],
): StepOutcome {
  return {
    status,
    startedAt,
    finishedAt,
    responseTimeMs: null,
    timings: null,
    request: null,
    response: null,
    tls: null,
    assertions: [],
    failure,
    attempts: [],
    extracted: [],
  };
}
