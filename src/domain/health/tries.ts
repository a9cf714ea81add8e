/** When a request that failed is sent again. Pure; probes and workflows judge by the same rule. */
import type { Failure } from '../../contracts/outcome';

/** Another try would end in the same way. */
const FINAL_FAILURES: ReadonlySet<Failure['code']> = new Set([
  'template_error',
  'secret_missing',
  'secret_invalid',
  'auth_failed',
  'blocked_target',
  'not_possible_here',
  'registry_unavailable',
]);

/** False for what passed, and for what would fail on every try. */
export function isWorthAnotherTry(failure: Failure | null): boolean {
  return failure !== null && !FINAL_FAILURES.has(failure.code);
}
