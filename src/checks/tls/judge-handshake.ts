/**
 * Decides whether the certificate of a handshake satisfies the rules of the request, and reports facts about the
 * certificate.
 */
import { checkServerIdentity, type TLSSocket } from 'node:tls';
import type { TlsFacts } from '../../contracts/outcome';
import type { HandshakeRules } from './handshake-rules';
import { readTlsFacts, reportDistrust } from './secure-socket';

/** Returns why the server is not trusted, so that nothing may be sent. null means that the certificate is trusted. */
export function findDistrust(
  socket: TLSSocket,
  host: string,
  { trust, checkHost }: HandshakeRules,
): string | null {
  if (trust === 'unchecked') return null;
  if (trust === 'authorities') return socket.authorized ? null : reportDistrust(socket);
  const met = readFingerprint(socket);
  if (!trust.includes(met)) return `The certificate has the SHA-256 ${met}, which is not pinned.`;
  return findWrongDate(socket, Date.now()) ?? (checkHost ? findWrongHost(socket, host) : null);
}

/** Returns the facts of the handshake, judged by the rules of the request. */
export function describeHandshake(
  socket: TLSSocket,
  host: string,
  rules: HandshakeRules,
): TlsFacts {
  const { trust, checkHost, client } = rules;
  const isPinned = typeof trust === 'object';
  const isHostUnchecked = trust === 'unchecked' || !checkHost;
  return {
    ...readTlsFacts(socket, Date.now()),
    ...(isPinned && { trusted: findDistrust(socket, host, rules) === null }),
    ...(isHostUnchecked && { forHost: findWrongHost(socket, host) === null }),
    ...(client !== null && { client }),
  };
}

function readFingerprint(socket: TLSSocket): string {
  return socket.getPeerCertificate().fingerprint256.replaceAll(':', '').toLowerCase();
}

/**
 * Returns why the certificate is not valid at this time, or null. With pins, Node's own verification is off, so the
 * dates must be checked here.
 */
function findWrongDate(socket: TLSSocket, nowMs: number): string | null {
  const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
  if (nowMs < Date.parse(from)) return 'The certificate is not valid yet.';
  return nowMs > Date.parse(to) ? 'The certificate has expired.' : null;
}

function findWrongHost(socket: TLSSocket, host: string): string | null {
  const isFor = checkServerIdentity(host, socket.getPeerCertificate()) === undefined;
  return isFor ? null : 'The certificate is not for this host name.';
}
