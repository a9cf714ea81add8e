/** The proxy of a request: a part of every definition, and of the operator's list. */

export const PROXY_SCHEMES = ['http', 'https', 'socks5'] as const;

/** A proxy in the operator's list. Only probes connect to it. */
export interface ProxyServer {
  readonly name: string;
  readonly protocol: (typeof PROXY_SCHEMES)[number];
  /** An IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** null means that the proxy requires no credentials. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

export interface WithProxy {
  /** A name from the operator's list. Absent in a step: it uses the proxy of its scenario. */
  readonly proxy?: string | undefined;
}

export const PROXY_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Used instead of a name: the step does not use the proxy of its scenario. */
export const NO_PROXY = 'none';
