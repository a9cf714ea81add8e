/**
 * Matches a target's text against a pattern. Runs in a worker thread, because a long text or a complex pattern can make
 * the match slow.
 */
import { runRedacted } from '../checks/examine-response';
import type { Assertion } from '../contracts/definition';
import type { AssertionOutcome } from '../contracts/outcome';
import { createFailedAssertion } from '../domain/assertions/assertion';
import type { Probing } from './probing';

interface Matched {
  readonly text: string;
  readonly pattern: string;
  /** True if more bytes were received than the text contains. */
  readonly isCut?: boolean;
  /** True if the target might have sent more. The text may then end in the middle of a secret. */
  readonly isOpen?: boolean;
}

export async function matchText(
  { text, pattern, isCut = false, isOpen = false }: Matched,
  { pool, redaction, clock, found }: Probing,
): Promise<AssertionOutcome> {
  const assertion: Assertion = {
    type: 'body',
    operator: 'matches',
    value: pattern,
    severity: 'fail',
  };
  const timings = clock.timings();
  const response = {
    status: 0,
    headers: new Map<string, string>(),
    responseTimeMs: timings.totalMs,
    timings,
    redirects: 0,
    finalUrl: '',
    bodyBytes: text.length,
    isBodyCut: isCut,
    tls: found.tls,
  };
  const tasks = [{ kind: 'assertion' as const, assertion }];
  const job = { text, isCut, isOpen, tasks, hidden: redaction.hidden(), response };
  const [result] = await runRedacted({ pool, redaction }, job);
  if (result !== undefined && 'outcome' in result) return result.outcome;
  const isKnown = result !== undefined && 'problem' in result;
  return createFailedAssertion(assertion, isKnown ? result.problem : 'not evaluated');
}
