/** The HTTP version of a request: a part of every definition. */

/** `auto`: over TLS the server chooses between HTTP/2 and HTTP/1.1. Without TLS, the request uses HTTP/1.1. */
export const HTTP_VERSIONS = ['auto', '1.1', '2'] as const;
export type HttpVersion = (typeof HTTP_VERSIONS)[number];

export interface WithHttpVersion {
  /** Absent in a step: it uses the setting of its scenario, or `auto`. */
  readonly httpVersion?: HttpVersion | undefined;
}
