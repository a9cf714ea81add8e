/** Authentication that depends on responses: one session for each try of a request. */
import type { ResponseHead } from '../http/response-head';
import type { WireRequest } from '../http/write-request';

export interface AuthSession {
  /** Adds the credentials to the request, if it is known by now what the server requires. */
  readonly sign: (request: WireRequest) => WireRequest;
  /** Reads the response's challenge. Returns true if the request should be sent once more. */
  readonly learn: (head: ResponseHead) => boolean;
  /** The token that was fetched for the request. Absent if the credentials themselves are in the definition. */
  readonly fetched?: {
    /** The token. It must be masked in everything that the target returns. */
    readonly token: string;
    /** Call this if the target rejects the token. The next session then fetches a new token. */
    readonly forget: () => void;
  };
}
