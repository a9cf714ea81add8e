/** The HTTP version of a request, which is a part of every definition. */

/** With `auto` and TLS, the server chooses between HTTP/2 and HTTP/1.1. Without TLS, `auto` means HTTP/1.1. */
export const HTTP_VERSIONS = ['auto', '1.1', '2'] as const;
export type HttpVersion = (typeof HTTP_VERSIONS)[number];

export interface WithHttpVersion {
  /** The HTTP version. If absent in a step, the setting of its scenario is used, or `auto`. */
  readonly httpVersion?: HttpVersion | undefined;
}
