/** What a check of any kind found of one thing that it expects, as an assertion of its outcome. */
import type { AssertionOutcome } from '../contracts/outcome';

type Judged = Pick<AssertionOutcome, 'ok' | 'actual' | 'expected' | 'message'>;

/** It fails the check unless it is good. */
export function judge(
  what: Pick<AssertionOutcome, 'type' | 'target' | 'operator'>,
  judged: Judged,
): AssertionOutcome {
  return { ...what, severity: 'fail', ...judged };
}
