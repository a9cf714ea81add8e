/**
 * The rules of a TLS handshake: how the server's certificate is verified, and which client certificate is presented.
 */
import type { SecureContext } from 'node:tls';
import type { ClientCertificate } from '../../contracts/outcome';

export interface HandshakeRules {
  /** The trusted authorities and the client certificate. null means the default context. */
  readonly context: SecureContext | null;
  /**
   * Which certificates are trusted: those signed by the authorities, all (`unchecked`), or only those with the listed
   * fingerprints.
   */
  readonly trust: 'authorities' | 'unchecked' | readonly string[];
  readonly checkHost: boolean;
  /** The server name to send in the handshake. null means the host of the URL. */
  readonly serverName: string | null;
  /** null means that no client certificate is presented. */
  readonly client: ClientCertificate | null;
}

export const DEFAULT_RULES: HandshakeRules = {
  context: null,
  trust: 'authorities',
  checkHost: true,
  serverName: null,
  client: null,
};

/** The rules for a request and its redirects. */
export interface RequestTls {
  readonly own: HandshakeRules;
  /** Rules for redirects to other hosts: without the client certificate and the pins. */
  readonly elsewhere: HandshakeRules;
}
