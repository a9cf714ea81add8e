/** Converts the result of one expectation to an assertion of the outcome. */
import type { AssertionOutcome } from '../contracts/outcome';

/** Adds the severity `fail`, with which the check fails unless the assertion is ok. */
export function judge(judged: Omit<AssertionOutcome, 'severity'>): AssertionOutcome {
  return { ...judged, severity: 'fail' };
}
