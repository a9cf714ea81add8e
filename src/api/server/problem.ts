/** Errors as `application/problem+json` (RFC 9457). Internal text never reaches the response. */
import { ERROR_STATUSES, type ErrorCode } from '../../contracts/error-codes';
import { AppError, type FieldProblem } from '../../platform/errors';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly errors?: readonly FieldProblem[];
  /** The names of the exhausted limits. */
  readonly violatedPolicies?: readonly string[];
}

const TITLES: Record<ErrorCode, string> = {
  invalid_json: 'The body is not valid JSON',
  validation_failed: 'Invalid request body',
  invalid_query: 'Invalid query',
  invalid_cursor: 'Invalid cursor',
  unknown_variable: 'Unknown variable',
  unknown_region: 'Unknown region',
  blocked_target: 'The target is not allowed',
  dependency_cycle: 'The dependencies form a cycle',
  missing_token: 'Authentication is required',
  invalid_token: 'Invalid credentials',
  expired_token: 'The credentials have expired',
  revoked_token: 'The credentials were revoked',
  insufficient_scope: 'Not allowed with these credentials',
  passwords_off: 'Passwords are not accepted',
  proof_required: 'Confirm that it is you',
  second_factor_required: 'A second factor is required',
  plan_required: 'The plan does not include this',
  limit_reached: 'A limit is reached',
  account_suspended: 'The account is suspended',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  unsupported_media_type: 'Unsupported media type',
  key_taken: 'The key is taken',
  idempotency_conflict: 'The idempotency key was used for another request',
  run_in_progress: 'A run is in progress',
  already_finished: 'Already finished',
  in_use: 'Still in use',
  not_undoable: 'It cannot be undone',
  already_set_up: 'Already set up',
  version_mismatch: 'The version does not match',
  payload_too_large: 'The body is too large',
  rate_limited: 'Too many requests',
  internal: 'Something went wrong on our side',
  unavailable: 'Temporarily unavailable',
};

const RETRY_AFTER_SECONDS = 5;

export function buildProblem(error: AppError, requestId: string): Problem {
  return {
    type: `urn:keepwatch:problem:${error.code}`,
    title: TITLES[error.code],
    status: ERROR_STATUSES[error.code],
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.errors.length > 0 && { errors: error.errors }),
    ...(error.violatedPolicies.length > 0 && { violatedPolicies: error.violatedPolicies }),
  };
}

/**
 * Returns the headers of a refusal: the challenge of a 401, `Connection: close` for a 413, and the Retry-After of a 503
 * or 429.
 */
export function buildProblemHeaders(error: AppError): Record<string, string> {
  const status = ERROR_STATUSES[error.code];
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (status === 413) headers['Connection'] = 'close';
  if (status === 503 || error.retryAfterSeconds !== undefined)
    headers['Retry-After'] = String(error.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  return headers;
}

/** Converts an error into a refusal; unexpected errors become `internal`. */
export function toRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return (
    bodyRefusal(error) ??
    new AppError('internal', 'The request could not be handled. Please report its requestId.', {
      cause: error,
    })
  );
}

/** Converts errors of body parsers by their `type` and `status`. null for any other error. */
function bodyRefusal(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null;
  if ('type' in error && error.type === 'entity.too.large')
    return new AppError('payload_too_large', 'The body may have at most 256 KiB.');
  if ('type' in error && error.type === 'encoding.unsupported')
    return new AppError('unsupported_media_type', 'Send the body without a Content-Encoding.');
  if (error instanceof URIError) return new AppError('not_found', 'No such endpoint.');
  if ('status' in error && error.status === 400)
    return new AppError('invalid_json', 'The body could not be read.', { cause: error });
  return null;
}
