/** Authentication that depends on what is sent and on what comes back: one session for each try of a request. */
import type { ResponseHead } from '../http/response-head';
import type { WireRequest } from '../http/write-request';

export interface AuthSession {
  /** The request with its credentials, as far as it is known what to prove. */
  readonly sign: (request: WireRequest) => WireRequest;
  /** Takes what the response asks for; true: the request is worth sending once more. */
  readonly learn: (head: ResponseHead) => boolean;
  /** What it proves itself with, where that was fetched; absent: it knows only what the definition says. */
  readonly fetched?: {
    /** Nothing that comes back may show it. */
    readonly token: string;
    /** The target refuses it: the next session gets another one. */
    readonly forget: () => void;
  };
}
