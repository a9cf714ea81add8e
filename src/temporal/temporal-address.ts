/** The URL of a Temporal server and the settings of its connection. */

/** All certificates and keys are PEM texts. */
export interface TemporalTls {
  /** Certificate authorities of the server's certificate. If absent, the well-known authorities are used. */
  readonly serverAuthorities?: string | undefined;
  /** The name that the server's certificate is for. If absent, the host of the address is used. */
  readonly serverName?: string | undefined;
  /** The client certificate of this process. Absent if it has none. */
  readonly client?: { readonly certificate: string; readonly key: string } | undefined;
}

export interface TemporalSecurity {
  /** Set only if the connection uses TLS. */
  readonly tls?: TemporalTls | undefined;
  readonly apiKey?: string | undefined;
}

export interface TemporalAddress extends TemporalSecurity {
  /** The address in the form `host:port`. */
  readonly address: string;
  readonly namespace: string;
}
