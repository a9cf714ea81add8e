/** The codes of all problems that /v1 can return, and the HTTP status of each. */
export const ERROR_STATUSES = {
  invalid_json: 400,
  validation_failed: 400,
  invalid_query: 400,
  invalid_cursor: 400,
  unknown_variable: 400,
  unknown_region: 400,
  blocked_target: 400,
  dependency_cycle: 400,
  missing_token: 401,
  invalid_token: 401,
  expired_token: 401,
  revoked_token: 401,
  insufficient_scope: 403,
  passwords_off: 403,
  proof_required: 403,
  second_factor_required: 403,
  plan_required: 403,
  limit_reached: 403,
  account_suspended: 403,
  not_found: 404,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  key_taken: 409,
  idempotency_conflict: 409,
  run_in_progress: 409,
  already_finished: 409,
  in_use: 409,
  not_undoable: 409,
  already_set_up: 409,
  version_mismatch: 412,
  payload_too_large: 413,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUSES;

export interface ErrorMeaning {
  /** What happened, in one sentence. */
  readonly meaning: string;
  /** What the client should do, in one or two sentences. */
  readonly action: string;
}

/** The explanation of each code, for the API reference and the documents. Parts in backticks are code. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  invalid_json: {
    meaning: 'The body is not valid JSON in UTF-8, or is nested more than 32 levels deep.',
    action: 'Correct the body; `detail` names the position.',
  },
  validation_failed: {
    meaning: 'Fields of the body are missing, unknown or invalid.',
    action: 'Correct the fields in `errors`, which lists every problem with its path.',
  },
  invalid_query: {
    meaning: 'A query parameter is unknown or invalid.',
    action: 'Correct the parameters in `errors`, or in `detail` if there are no `errors`.',
  },
  invalid_cursor: {
    meaning: 'The cursor is invalid, or belongs to another list or to other filters.',
    action:
      'Send `nextCursor` unchanged and with the same filters, or start again without a cursor.',
  },
  unknown_variable: {
    meaning:
      'A `{{reference}}` names a variable that does not exist, or stands where none is allowed.',
    action: 'Define the variable or correct the reference at the path in `errors`.',
  },
  unknown_region: {
    meaning: 'The region does not exist.',
    action: 'Use an id of `GET /v1/regions`.',
  },
  blocked_target: {
    meaning: 'The installation does not allow requests to this target, such as a private address.',
    action: 'Use a public address, or ask the operator to allow the network.',
  },
  dependency_cycle: {
    meaning: 'The checks in `dependsOn` would depend on each other in a cycle.',
    action: 'Remove one of the dependencies that `errors` names.',
  },
  missing_token: {
    meaning: 'The request has neither an API key nor a session.',
    action: 'Send `Authorization: Bearer` with an API key, or sign in.',
  },
  invalid_token: {
    meaning: 'The API key, session, password, code or link is wrong.',
    action: 'Check that the value is complete. Create a new key, or sign in again.',
  },
  expired_token: {
    meaning: 'The API key, session or link has expired, or the link was used before.',
    action: 'Create a new key, sign in again, or request a new link.',
  },
  revoked_token: {
    meaning: 'The API key was revoked, or its creator was removed from the account.',
    action: 'Create a new key.',
  },
  insufficient_scope: {
    meaning: 'The key or the role of the person does not allow this operation.',
    action:
      'Use a key with the scope that `detail` names. Some operations need a signed-in person.',
  },
  passwords_off: {
    meaning: 'The installation does not accept passwords for this sign-in.',
    action: 'Sign in through an identity provider or with a passkey.',
  },
  proof_required: {
    meaning: 'The session must first prove again who you are, or cannot enter the other account.',
    action: 'Call `POST /v1/session/proof` and repeat the request, or sign in as `detail` says.',
  },
  second_factor_required: {
    meaning: 'The account requires a second factor, and this session has none.',
    action: 'Add an authenticator app or a passkey, or sign in with your second factor.',
  },
  plan_required: {
    meaning: 'The plan of the account does not include API keys.',
    action: 'Move the account to the plan `pro` or above.',
  },
  limit_reached: {
    meaning: 'The account, plan or object has reached a limit, which `detail` names.',
    action: 'Delete objects that you do not need, or move the account to a larger plan.',
  },
  account_suspended: {
    meaning: 'An operator has suspended the account; `detail` gives the reason.',
    action: 'Ask the operator of the installation.',
  },
  not_found: {
    meaning: 'The path or the object does not exist, or the object belongs to another account.',
    action: 'Check the path, the id, and the account of the key.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    action: 'Use a method that the header `Allow` lists.',
  },
  unsupported_media_type: {
    meaning: 'The body has another media type than the operation reads, or is compressed.',
    action: 'Send the `Content-Type` that `detail` names, without a `Content-Encoding`.',
  },
  key_taken: {
    meaning: 'Another object already has this key, slug, domain or email address.',
    action: 'Choose another one, or change the existing object.',
  },
  idempotency_conflict: {
    meaning: 'The `Idempotency-Key` was used with another body.',
    action: 'Use a new key for a new request.',
  },
  run_in_progress: {
    meaning: 'The scenario has as many unfinished requested runs as are allowed.',
    action: 'Wait until a run has ended, or cancel one.',
  },
  already_finished: {
    meaning: 'The run, incident or post has already ended, or the account is being deleted.',
    action: 'Nothing: the object can no longer be changed in this way.',
  },
  in_use: {
    meaning: 'Other objects use this object, or something else still needs it.',
    action: 'Change what `errors` or `detail` names first.',
  },
  not_undoable: {
    meaning: 'The rollout cannot be undone; `detail` gives the reason.',
    action: 'Restore the earlier values by a new change.',
  },
  already_set_up: {
    meaning: 'The service already has its first account.',
    action: 'Sign in, or ask an operator for an account.',
  },
  version_mismatch: {
    meaning:
      'The object has changed since the version in `If-Match`, or the plan since its `planHash`.',
    action: 'Read the object or the plan again, and repeat the change on top of it.',
  },
  payload_too_large: {
    meaning: 'The body is larger than the operation allows.',
    action: 'Send a smaller body, or several requests.',
  },
  rate_limited: {
    meaning:
      'The key, person or IP address has sent too many requests, or too many at the same time.',
    action: 'Wait for the seconds in `Retry-After`, then repeat the request.',
  },
  internal: {
    meaning: 'Keepwatch has a fault.',
    action: 'Repeat the request once. If it fails again, report its `requestId`.',
  },
  unavailable: {
    meaning:
      'The database, Temporal or another service does not respond, or the API is overloaded.',
    action:
      'Wait for the seconds in `Retry-After`, then repeat the request with the same `Idempotency-Key`.',
  },
};
