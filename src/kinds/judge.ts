/** What a check of any kind found of one thing that it expects, as an assertion of its outcome. */
import type { AssertionOutcome } from '../contracts/outcome';

/** It fails the check unless it is good. */
export function judge(judged: Omit<AssertionOutcome, 'severity'>): AssertionOutcome {
  return { ...judged, severity: 'fail' };
}
