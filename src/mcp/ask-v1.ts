/** Tools reach Keepwatch through /v1 with the caller's API key, so /v1 checks bodies, scopes and limits. */

export interface V1Request {
  readonly method: 'GET' | 'POST';
  /** Relative to the root, like `v1/checks`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Only for POST. A second request with the same key is not executed again. */
  readonly idempotencyKey?: string;
}

/** Returns the body of the response. Throws a V1Refusal for a problem. */
export type AskV1 = (request: V1Request) => Promise<unknown>;

/** The problem that /v1 returned instead of executing a request. */
export class V1Refusal extends Error {
  constructor(readonly problem: unknown) {
    super('The service refused the request.');
  }
}
