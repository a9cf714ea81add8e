/** The proxy that a request goes through: a part of every definition, and of the operator's list. */

export const PROXY_SCHEMES = ['http', 'https', 'socks5'] as const;

/** A proxy as the operator lists it; only probes connect to it. */
export interface ProxyServer {
  readonly name: string;
  readonly protocol: (typeof PROXY_SCHEMES)[number];
  /** An IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** null: it requires none. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

export interface WithProxy {
  /** A name from the operator's list. Absent in stored definitions that name none: a step then uses its scenario's. */
  readonly proxy?: string | undefined;
}

export const PROXY_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** A value in place of a name: a step does not use the proxy of its scenario. */
export const NO_PROXY = 'none';
