/** How one handshake is judged, and what is shown in it. */
import type { SecureContext } from 'node:tls';
import type { ClientCertificate } from '../../contracts/outcome';

export interface HandshakeRules {
  /** Whose signatures count, and what is shown; null: as for every other request. */
  readonly context: SecureContext | null;
  /** By those signatures, not at all, or by these fingerprints. */
  readonly trust: 'authorities' | 'unchecked' | readonly string[];
  readonly checkHost: boolean;
  /** null: the host is asked for. */
  readonly serverName: string | null;
  /** null: nothing is shown. */
  readonly client: ClientCertificate | null;
}

export const USUAL_RULES: HandshakeRules = {
  context: null,
  trust: 'authorities',
  checkHost: true,
  serverName: null,
  client: null,
};

/** Of a request and what it is redirected to. */
export interface RequestTls {
  readonly own: HandshakeRules;
  /** Of other hosts: nothing is shown there, and no certificate of theirs is pinned. */
  readonly elsewhere: HandshakeRules;
}
