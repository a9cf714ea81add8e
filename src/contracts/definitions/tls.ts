/**
 * The TLS rules of a request: the verification of the server's certificate, and the certificate that it presents
 * itself. A part of every definition.
 */

/**
 * The certificates that are trusted: those of well-known authorities, those of one's own authority, single ones by
 * their SHA-256, or any. `ca` is PEM, or one `{{secret:name}}`.
 */
export type TlsTrust =
  | 'system'
  | 'unchecked'
  | { readonly ca: string }
  /** SHA-256 over the certificate of the server, in lower-case hex. */
  | { readonly pin: readonly string[] };

/** An absent field has its default. */
export interface Tls {
  /** Default: system. */
  readonly trust?: TlsTrust | undefined;
  /** True if the certificate must be valid for the host, or for `serverName`; default: true. */
  readonly checkHost?: boolean | undefined;
  /** PEM, or one `{{secret:name}}`; never without a key. */
  readonly certificate?: string | undefined;
  /** One `{{secret:name}}`, never a value. */
  readonly key?: string | undefined;
  /** Like the key. */
  readonly passphrase?: string | undefined;
  /** The server name in the handshake; default: the host. */
  readonly serverName?: string | undefined;
}

export interface WithTls {
  /** Absent in stored definitions that specify none: a step then uses its scenario's, if any. */
  readonly tls?: Tls | undefined;
}
