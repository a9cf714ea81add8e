/** The TLS rules of a request: trusted certificates and the client certificate. */

/**
 * Trusted certificates: of well-known authorities, of a given authority, by SHA-256, or any. `ca` is PEM or one
 * `{{secret:name}}`.
 */
export type TlsTrust =
  | 'system'
  | 'unchecked'
  | { readonly ca: string }
  /** SHA-256 of each accepted server certificate, in lower-case hex. */
  | { readonly pin: readonly string[] };

/** A field that is absent has its default. */
export interface Tls {
  /** Default: `system`. */
  readonly trust?: TlsTrust | undefined;
  /** True if the certificate must be valid for the host or for `serverName`. Default: true. */
  readonly checkHost?: boolean | undefined;
  /** PEM, or one `{{secret:name}}`. Always used with a key. */
  readonly certificate?: string | undefined;
  /** One `{{secret:name}}`, never a value. */
  readonly key?: string | undefined;
  /** One `{{secret:name}}`, never a value. */
  readonly passphrase?: string | undefined;
  /** The server name in the handshake. Default: the host. */
  readonly serverName?: string | undefined;
}

export interface WithTls {
  /** Absent in a step: it uses the rules of its scenario, if any. */
  readonly tls?: Tls | undefined;
}
