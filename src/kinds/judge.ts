/** Turns the finding for one expectation of a check, of any kind, into an assertion of its outcome. */
import type { AssertionOutcome } from '../contracts/outcome';

/** The assertion fails the check unless it is ok. */
export function judge(judged: Omit<AssertionOutcome, 'severity'>): AssertionOutcome {
  return { ...judged, severity: 'fail' };
}
