/** How tools reach Keepwatch: by requests to /v1 with the caller's key, which checks bodies, scopes and limits. */

export interface V1Request {
  readonly method: 'GET' | 'POST';
  /** Below the root, like `v1/checks`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Only of a POST: the same key again carries nothing out. */
  readonly idempotencyKey?: string;
}

/** The body of the response; throws a V1Refusal for a problem. */
export type AskV1 = (request: V1Request) => Promise<unknown>;

/** What /v1 said instead of carrying a request out. */
export class V1Refusal extends Error {
  constructor(readonly problem: unknown) {
    super('The service refused the request.');
  }
}
