/** Builds the outcome of steps that end before anything was sent. */
import type { Failure, FailureCode, StepOutcome } from '../contracts/outcome';
import { createUnmeasuredOutcome } from '../domain/health/unmeasured';
import { MissingVariableFailure, SignInFailure, StepFailure } from './step-failure';

interface StepLogger {
  readonly error: (details: object, message: string) => void;
}

/** Failures that say nothing about the target. */
const OURS: ReadonlySet<FailureCode> = new Set([
  'internal_error',
  'secret_missing',
  'secret_invalid',
  'auth_failed',
  'proxy_failed',
  'not_possible_here',
]);

/**
 * Returns the outcome of the work. If a failure ends the step before anything was sent, returns the outcome of this
 * failure.
 */
export async function catchEarlyFailure(
  { logger }: { readonly logger?: StepLogger | undefined },
  measure: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const startedAt = new Date().toISOString();
  try {
    return await measure();
  } catch (error) {
    const isKnown = error instanceof StepFailure;
    if (!isKnown) logger?.error({ err: error }, 'a check failed with an unexpected error');
    const failure: Failure = isKnown
      ? error.failure
      : { code: 'internal_error', message: 'Internal error in the check.', phase: null };
    const times = [startedAt, new Date().toISOString()] as const;
    const status = OURS.has(failure.code) ? 'unknown' : 'down';
    const outcome = createUnmeasuredOutcome(status, failure, times);
    if (error instanceof SignInFailure) return { ...outcome, signInFault: error.fault };
    if (!(error instanceof MissingVariableFailure)) return outcome;
    return { ...outcome, missingVariable: error.variable };
  }
}
