/**
 * Describes failed connections in the same words for checks, webhooks and mail. Keys are codes of Node and OpenSSL.
 * Pure.
 */
import { lookupSentence, refusedSentence } from './failure-words';

const LOOKUP_PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not exist',
  ENODATA: 'has no IP address',
  ENOIPV4: 'has no IP address of version 4',
  ENOIPV6: 'has no IP address of version 6',
  ESERVFAIL: 'could not be resolved: its name servers fail',
  ETIMEOUT: 'could not be resolved: its name servers do not respond',
  ECONNREFUSED: 'could not be resolved: the name server refuses connections',
  EREFUSED: 'could not be resolved: the name server refuses the query',
  EBADNAME: 'is not a valid name',
};

const DISTRUST: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'cannot be verified: an intermediate certificate is missing or its authority is unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is not for this host name',
  CERT_REVOKED: 'has been revoked',
  CERT_SIGNATURE_FAILURE: 'has a wrong signature',
  INVALID_PURPOSE: 'is not meant for servers',
  EE_KEY_TOO_SMALL: 'has a key that is too small',
  CA_MD_TOO_WEAK: 'is signed with a broken method',
};

export function lookupFailureSentence(host: string, code: string): string {
  return lookupSentence(host, LOOKUP_PROBLEMS[code] ?? 'could not be resolved');
}

/**
 * Returns why a certificate is not trusted, in words that follow `The certificate`. null means that the code has
 * another meaning.
 */
export function distrustReason(code: string): string | null {
  return DISTRUST[code] ?? null;
}

const REFUSED_CERTIFICATE =
  /_ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN))$/;

/**
 * Returns a sentence for a server that refused the client certificate. null means that the code has another meaning.
 */
export function refusedCertificateSentence(code: string): string | null {
  const reason = REFUSED_CERTIFICATE.exec(code)?.[1]?.toLowerCase().replaceAll('_', ' ');
  return reason === undefined ? null : `The server refuses the client certificate (${reason}).`;
}

/** Returns a sentence for a handshake that OpenSSL ended. */
export function handshakeSentence(code: string): string {
  const refusal = refusedCertificateSentence(code);
  if (refusal !== null) return refusal;
  const reason = /^ERR_SSL_(.+)$/.exec(code)?.[1]?.toLowerCase().replaceAll('_', ' ');
  return `The TLS handshake failed${reason === undefined ? '' : ` (${reason})`}.`;
}

/**
 * Returns a sentence for a server that accepts none of the offered ALPN protocols. null means that the code has another
 * meaning.
 */
export function noProtocolSentence(code: string, offered: readonly string[]): string | null {
  if (!code.endsWith('_ALERT_NO_APPLICATION_PROTOCOL')) return null;
  return `The server accepts none of the protocols that were offered by ALPN (${offered.join(', ')}).`;
}

/**
 * Returns a sentence for a server that does not support HTTP/2. `chosen` is the protocol that the server chose by ALPN.
 */
export function noHttp2Sentence(chosen: string | false | null): string {
  return `The server does not speak HTTP/2 here: h2 was offered by ALPN, and it chose ${chosen || 'no protocol'}.`;
}

/** Returns a sentence for a failure to connect. null means that the code has another meaning. */
export function connectSentence(code: string, port: number): string | null {
  if (code === 'ECONNREFUSED') return refusedSentence(port);
  if (code === 'ETIMEDOUT') return 'Timed out while connecting.';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'The host is unreachable.';
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'The connection was reset.' : null;
}
