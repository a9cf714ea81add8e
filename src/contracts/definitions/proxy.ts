/** The proxy of a request, in definitions and in the operator's list. */

export const PROXY_SCHEMES = ['http', 'https', 'socks5'] as const;

/** A proxy in the operator's list. Only probes connect to it. */
export interface ProxyServer {
  readonly name: string;
  readonly protocol: (typeof PROXY_SCHEMES)[number];
  /** The host; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  /** null means that the proxy requires no credentials. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

export interface WithProxy {
  /** A name from the operator's list. If absent in a step, the proxy of its scenario is used. */
  readonly proxy?: string | undefined;
}

export const PROXY_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Written instead of a name if a step must not use the proxy of its scenario. */
export const NO_PROXY = 'none';
