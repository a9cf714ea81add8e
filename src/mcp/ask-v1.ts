/** Tools call /v1 with the caller's API key, so that /v1 checks bodies, scopes and limits as for any other client. */

export interface V1Request {
  readonly method: 'GET' | 'POST';
  /** The path relative to the root, like `v1/checks`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** The idempotency key of a POST. A second request with the same key is not executed again. */
  readonly idempotencyKey?: string;
}

/** Sends a request and returns the body of the response. Throws V1Refusal if /v1 responds with a problem. */
export type AskV1 = (request: V1Request) => Promise<unknown>;

/** The error for a request that /v1 refused. Contains the problem from the response. */
export class V1Refusal extends Error {
  constructor(readonly problem: unknown) {
    super('The service refused the request.');
  }
}
