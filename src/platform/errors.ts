/**
 * The one error that use cases throw on purpose. Its code is public; its `cause` is not, and
 * goes to the log only.
 */
import type { ErrorCode } from '../contracts/error-codes';

/** One fault of a request, with the path of the field at fault. */
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
  /** Id of the person or key that the refusal is about, where nobody has proved to be them: for the log. */
  readonly about?: string;
  readonly cause?: unknown;
}

/** A refusal with a public code and a public sentence. */
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

/** True for what calls throw while the database or Temporal is away. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
