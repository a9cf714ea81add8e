/** The error that use cases throw on purpose. Its code is public. Its `cause` goes only to the log. */
import type { ErrorCode } from '../contracts/error-codes';

/** One error in a request, with the path of the field. */
export interface FieldProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

interface AppErrorDetails {
  readonly errors?: readonly FieldProblem[];
  readonly retryAfterSeconds?: number;
  /** Names of the limits that are used up. */
  readonly violatedPolicies?: readonly string[];
  /** For the log: the user or key that the request claims to be. This claim has not been verified. */
  readonly about?: string;
  readonly cause?: unknown;
}

/** A refusal with a public code and a public message. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;
  readonly violatedPolicies: readonly string[];
  readonly about: string | undefined;

  constructor(code: ErrorCode, message: string, details: AppErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = details.errors ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.violatedPolicies = details.violatedPolicies ?? [];
    this.about = details.about;
  }
}

/** True for errors that calls throw while the database or Temporal is unavailable. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
