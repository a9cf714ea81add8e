/** The API key or session of a request. It is read and hashed once per request. */
import type { IncomingHttpHeaders } from 'node:http';
import { hashToken, isApiKey } from '../../services/accounts/api-key-format';
import { readSessionCookie } from './session-cookie';

export interface Credential {
  readonly type: 'api_key' | 'session';
  /** The hash by which the database finds the key or session. */
  readonly hash: string;
}

const known = new WeakMap<IncomingHttpHeaders, Credential | null>();

/**
 * Returns the credential of the request. null if there is none, or if it cannot be valid. An Authorization header never
 * falls back to a cookie.
 */
export function findCredential(headers: IncomingHttpHeaders, publicUrl: string): Credential | null {
  const found = known.get(headers);
  if (found !== undefined) return found;
  const credential = readCredential(headers, publicUrl);
  known.set(headers, credential);
  return credential;
}

function readCredential(headers: IncomingHttpHeaders, publicUrl: string): Credential | null {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const key = readToken(authorization);
    return key !== null && isApiKey(key) ? { type: 'api_key', hash: hashToken(key) } : null;
  }
  const sessionId = readSessionCookie(headers, publicUrl);
  return sessionId === null ? null : { type: 'session', hash: hashToken(sessionId) };
}

/**
 * Returns the token of a bearer Authorization header (RFC 6750 §2.1). null means that the header has another scheme.
 */
export function readToken(authorization: string): string | null {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1] ?? null;
}
