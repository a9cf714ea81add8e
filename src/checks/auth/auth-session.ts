/** Authentication that depends on the request and its responses: one session for each try of a request. */
import type { ResponseHead } from '../http/response-head';
import type { WireRequest } from '../http/write-request';

export interface AuthSession {
  /** The request with its credentials, as far as the server's demands are known. */
  readonly sign: (request: WireRequest) => WireRequest;
  /** Reads the response's challenge; true if the request should be sent once more. */
  readonly learn: (head: ResponseHead) => boolean;
  /** The token, if one was fetched; absent if all credentials come from the definition. */
  readonly fetched?: {
    /** Must be masked in everything that the target returns. */
    readonly token: string;
    /** Call this if the target rejects the token, so that the next session fetches a new one. */
    readonly forget: () => void;
  };
}
