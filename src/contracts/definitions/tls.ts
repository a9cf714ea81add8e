/** How a request judges the certificate that it meets, and which one it shows itself: a part of every definition. */

/**
 * Whose certificates are trusted: those of well-known authorities, those of one's own, single ones by their SHA-256, or any.
 * `ca` is PEM, or one `{{secret:name}}`.
 */
export type TlsTrust =
  | 'system'
  | 'unchecked'
  | { readonly ca: string }
  /** SHA-256 over the certificate of the server, in lower-case hex. */
  | { readonly pin: readonly string[] };

/** A field that is not there is at its default. */
export interface Tls {
  /** Default: system. */
  readonly trust?: TlsTrust | undefined;
  /** Whether the certificate has to be for the host, or for `serverName`; default: true. */
  readonly checkHost?: boolean | undefined;
  /** PEM, or one `{{secret:name}}`; never without a key. */
  readonly certificate?: string | undefined;
  /** One `{{secret:name}}`, and never a value. */
  readonly key?: string | undefined;
  /** As the key. */
  readonly passphrase?: string | undefined;
  /** Whom the handshake asks for; default: the host. */
  readonly serverName?: string | undefined;
}

export interface WithTls {
  /** Absent in what is stored where nothing is said: a step has that of its scenario, if any. */
  readonly tls?: Tls | undefined;
}
