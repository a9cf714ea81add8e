/** When a request that failed is sent again. Pure; probes and workflows judge by the same rule. */
import type { Attempt, Failure } from '../../contracts/outcome';

/** Another try would end in the same way. */
const FINAL_FAILURES: ReadonlySet<Failure['code']> = new Set([
  'template_error',
  'secret_missing',
  'blocked_target',
]);

/** False for what passed, and for what fails however often it is tried. */
export function isWorthAnotherTry(failure: Failure | null): boolean {
  return failure !== null && !FINAL_FAILURES.has(failure.code);
}

/** True when the last of these tries failed, and the step may be tried more often. */
export function hasTriesLeft(made: readonly Pick<Attempt, 'failure'>[], retries: number): boolean {
  const last = made.at(-1);
  return last !== undefined && made.length <= retries && isWorthAnotherTry(last.failure);
}
