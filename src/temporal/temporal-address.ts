/** The URL of a Temporal server and the settings of its connection. */

/** All certificates and keys are PEM texts. */
export interface TemporalTls {
  /** Authorities of the server's certificate; if absent, the well-known authorities. */
  readonly serverAuthorities?: string | undefined;
  /** Name that the server's certificate is for; if absent, the host of the address. */
  readonly serverName?: string | undefined;
  /** The client certificate of this process; absent if it has none. */
  readonly client?: { readonly certificate: string; readonly key: string } | undefined;
}

export interface TemporalSecurity {
  /** Set only if the connection uses TLS. */
  readonly tls?: TemporalTls | undefined;
  readonly apiKey?: string | undefined;
}

export interface TemporalAddress extends TemporalSecurity {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
}
