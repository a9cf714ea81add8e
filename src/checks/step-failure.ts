/** Errors that end an attempt. They are converted to failures before they leave src/checks. */
import type { Failure, FailureCode, Phase, SignInFault } from '../contracts/outcome';

export class StepFailure extends Error {
  readonly failure: Failure;

  constructor(code: FailureCode, message: string, phase: Phase | null) {
    super(message);
    this.name = 'StepFailure';
    this.failure = { code, message, phase };
  }
}

/**
 * Thrown if the server requires HTTP/1.1 (RFC 9113 §7, HTTP_1_1_REQUIRED). The server has not processed the request.
 */
export class Http11RequiredFailure extends StepFailure {}

/** Thrown before anything is sent, because a variable has no value. */
export class MissingVariableFailure extends StepFailure {
  readonly variable: string;

  constructor(variable: string, message: string) {
    super('template_error', message, 'prepare');
    this.variable = variable;
  }
}

/** Thrown before anything is sent, because an identity provider gave no access token. */
export class SignInFailure extends StepFailure {
  readonly fault: SignInFault;

  constructor(message: string, fault: SignInFault) {
    super('auth_failed', message, 'prepare');
    this.fault = fault;
  }
}

/** Returns the code of a system error, such as `ECONNREFUSED`, or an empty string. */
export function readErrorCode(error: unknown): string {
  if (error === null || typeof error !== 'object' || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
