/** Decides whether a failed request is sent again. Pure; probes and workflows use the same rule. */
import type { Failure } from '../../contracts/outcome';

/** Failures for which a retry would fail in the same way. */
const FINAL_FAILURES: ReadonlySet<Failure['code']> = new Set([
  'template_error',
  'secret_missing',
  'secret_invalid',
  'auth_failed',
  'blocked_target',
  'not_possible_here',
  'registry_unavailable',
]);

/** False for passing checks, and for failures that a retry cannot change. */
export function isWorthAnotherTry(failure: Failure | null): boolean {
  return failure !== null && !FINAL_FAILURES.has(failure.code);
}
