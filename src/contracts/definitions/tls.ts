/** The TLS rules of a request: trusted certificates and the client certificate. */

/**
 * The trusted certificates: certificates of public authorities, of a given authority, with a given SHA-256, or any
 * certificates. `ca` is PEM or one `{{secret:name}}`.
 */
export type TlsTrust =
  | 'system'
  | 'unchecked'
  | { readonly ca: string }
  /** SHA-256 of each accepted server certificate, in lower-case hex. */
  | { readonly pin: readonly string[] };

/** The TLS settings of a request. A field that is absent has its default value. */
export interface Tls {
  /** Default: `system`. */
  readonly trust?: TlsTrust | undefined;
  /** True if the certificate must be valid for the host or for `serverName`. Default: true. */
  readonly checkHost?: boolean | undefined;
  /** The client certificate as PEM, or one `{{secret:name}}`. It is always used with a key. */
  readonly certificate?: string | undefined;
  /** The key as one `{{secret:name}}`, never as a value. */
  readonly key?: string | undefined;
  /** The passphrase as one `{{secret:name}}`, never as a value. */
  readonly passphrase?: string | undefined;
  /** The server name in the handshake. Default: the host. */
  readonly serverName?: string | undefined;
}

export interface WithTls {
  /** The TLS rules. If absent in a step, the rules of its scenario are used. */
  readonly tls?: Tls | undefined;
}
