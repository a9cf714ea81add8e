/** Converts the result of one expectation to an assertion of the outcome. */
import type { AssertionOutcome } from '../contracts/outcome';

/** Adds the severity `fail`: the check fails if the assertion is not ok. */
export function judge(judged: Omit<AssertionOutcome, 'severity'>): AssertionOutcome {
  return { ...judged, severity: 'fail' };
}
