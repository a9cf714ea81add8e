/**
 * Performs the TLS handshake. It completes even if the certificate is not trusted, so that the certificate can be
 * reported. Nothing may be sent over such a connection.
 */
import { isIP, type Socket } from 'node:net';
import {
  connect,
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { TlsFacts } from '../../contracts/outcome';
import { distrustReason } from '../../domain/states/connection-words';
import { readErrorCode } from '../step-failure';
import type { HandshakeRules } from './handshake-rules';

const DAY_MS = 86_400_000;

/** @param extraAuthorities PEM certificates that are trusted in addition to the public ones. */
export function createTrust(extraAuthorities: readonly string[]): SecureContext {
  if (extraAuthorities.length === 0) return createSecureContext();
  return createSecureContext({ ca: [...rootCertificates, ...extraAuthorities] });
}

/** The host whose certificate the server must present, and options of the handshake. */
export interface SecureName {
  readonly host: string;
  /** Protocols offered with ALPN. If absent, no protocols are offered. */
  readonly protocols?: readonly string[] | undefined;
  /** Rules for this connection. If absent, the default rules apply. */
  readonly rules?: HandshakeRules | undefined;
}

/** Resolves after the handshake, whether the certificate is trusted or not. Rejects if the handshake fails. */
export function secureSocket(
  socket: Socket,
  { host, protocols, rules }: SecureName,
  secureContext: SecureContext,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = connect({
      socket,
      secureContext,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(protocols === undefined ? {} : { ALPNProtocols: [...protocols] }),
      ...(rules?.checkHost === false ? { checkServerIdentity: () => undefined } : {}),
      rejectUnauthorized: false,
    });
    // Prevents an unhandled error event while no other listener is attached.
    secured.on('error', () => undefined);
    const fail = (error: Error) => {
      secured.destroy();
      reject(error);
    };
    const end = () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    secured.once('error', fail);
    secured.once('close', end);
    secured.once('secureConnect', () => {
      secured.off('error', fail);
      secured.off('close', end);
      resolve(secured);
    });
  });
}

function readName(issuer: NodeJS.Dict<string | string[]> | undefined): string | null {
  const name = issuer?.['CN'] ?? issuer?.['O'] ?? issuer?.['OU'];
  return (Array.isArray(name) ? name[0] : name) ?? null;
}

type Certificate = ReturnType<TLSSocket['getPeerCertificate']>;

/** How many certificates of a chain are read at most. */
const CHAIN_MAX = 10;

/** Returns the peer's certificate and its issuers, without the root. */
function readChain(socket: TLSSocket): readonly Certificate[] {
  const chain: Certificate[] = [];
  let next = socket.getPeerCertificate(true);
  while (chain.length < CHAIN_MAX) {
    const { issuerCertificate: issuer } = next;
    const isRoot = issuer === next || issuer?.fingerprint256 === next.fingerprint256;
    if (isRoot && chain.length > 0) break;
    chain.push(next);
    if (isRoot || issuer === undefined) break;
    next = issuer;
  }
  return chain;
}

function readExpiry({ valid_to: text }: Certificate): number {
  return Date.parse(text ?? '');
}

/** Returns the certificate that expires first. From then on, the whole chain is invalid. */
function findEarliest(chain: readonly Certificate[]): Certificate | undefined {
  const known = chain.filter((certificate) => Number.isFinite(readExpiry(certificate)));
  return known.toSorted((a, b) => readExpiry(a) - readExpiry(b))[0] ?? chain[0];
}

/**
 * Returns the facts of the peer's certificates at the given instant. The expiry is the earliest expiry in the chain.
 */
export function readTlsFacts(socket: TLSSocket, nowMs: number): TlsFacts {
  const certificate = socket.getPeerCertificate();
  const earliest = findEarliest(readChain(socket)) ?? certificate;
  const expiresMs = readExpiry(earliest);
  const isKnown = Number.isFinite(expiresMs);
  return {
    version: socket.getProtocol(),
    issuer: readName(certificate.issuer),
    fingerprint: earliest.fingerprint256?.replaceAll(':', '').toLowerCase(),
    expiresAt: isKnown ? new Date(expiresMs).toISOString() : null,
    daysUntilExpiry: isKnown ? Math.floor((expiresMs - nowMs) / DAY_MS) : null,
    trusted: socket.authorized,
  };
}

/** Returns a sentence that says why the certificate is not trusted. */
export function reportDistrust(socket: TLSSocket): string {
  const reason: unknown = socket.authorizationError;
  const code = typeof reason === 'string' ? reason : readErrorCode(reason);
  const [leaf, ...signers] = readChain(socket);
  const earliest = findEarliest([...signers, ...(leaf === undefined ? [] : [leaf])]);
  if (code === 'CERT_HAS_EXPIRED' && earliest !== undefined && earliest !== leaf) {
    const name = readName(earliest.subject) ?? 'without a name';
    return `The intermediate certificate “${name}” ${distrustReason(code) ?? 'has expired'}.`;
  }
  return `The certificate ${distrustReason(code) ?? `is not trusted (${code})`}.`;
}
