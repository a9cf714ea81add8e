/** The one error inside a check: it carries the failure that ends an attempt, and never leaves src/checks. */
import type { Failure, FailureCode, Phase } from '../contracts/outcome';

/** Ends an attempt with a code, a sentence for people and the phase it happened in. */
export class StepFailure extends Error {
  readonly failure: Failure;

  constructor(code: FailureCode, message: string, phase: Phase | null) {
    super(message);
    this.name = 'StepFailure';
    this.failure = { code, message, phase };
  }
}

/** The code of a system error (`ECONNREFUSED`), or an empty text. */
export function errorCodeOf(error: unknown): string {
  if (error === null || typeof error !== 'object' || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
