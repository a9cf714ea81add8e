/**
 * The rules of a handshake: the verification of the server's certificate, and the client certificate that is presented.
 */
import type { SecureContext } from 'node:tls';
import type { ClientCertificate } from '../../contracts/outcome';

export interface HandshakeRules {
  /** The trusted authorities and the client certificate; null: the default context. */
  readonly context: SecureContext | null;
  /** Trust certificates signed by those authorities, all certificates, or only these fingerprints. */
  readonly trust: 'authorities' | 'unchecked' | readonly string[];
  readonly checkHost: boolean;
  /** null: the host. */
  readonly serverName: string | null;
  /** The client certificate; null: none is presented. */
  readonly client: ClientCertificate | null;
}

export const USUAL_RULES: HandshakeRules = {
  context: null,
  trust: 'authorities',
  checkHost: true,
  serverName: null,
  client: null,
};

/** The rules for a request and its redirects. */
export interface RequestTls {
  readonly own: HandshakeRules;
  /** For other hosts: no client certificate is presented there, and pins do not apply. */
  readonly elsewhere: HandshakeRules;
}
