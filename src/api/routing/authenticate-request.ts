/** Finds the caller from the headers of a request. An Authorization header never falls back to a cookie. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../platform/errors';
import { type Principal, refuseSuspended } from '../../services/accounts/principal';
import { requireSecondFactor } from '../../services/accounts/require-second-factor';
import type { Dependencies } from '../../services/ports/dependencies';
import { authenticateKey, authenticateSession } from '../../services/sessions/authenticate';
import { readSessionCookie, requireOwnOrigin } from '../server/session-cookie';
import type { Method } from './route';

interface Asked {
  readonly method: Method;
  readonly headers: IncomingHttpHeaders;
  readonly publicUrl: string;
  readonly clientAddress: string;
  /** True: also people of a suspended account. */
  readonly isOpenWhileSuspended?: boolean;
  /** True: also people who must prove a second factor first. */
  readonly isOpenWithoutFactor?: boolean;
}

/**
 * Throws one of the 401 codes, and `account_suspended` unless the request is open to suspended accounts. Throws
 * `second_factor_required` for a person without one in an account that requires it. For a write that another site sent,
 * throws `insufficient_scope`.
 */
export async function authenticateRequest(
  needs: Pick<Dependencies, 'stores' | 'clock'>,
  asked: Asked,
): Promise<Principal> {
  const principal = await identifyCaller(needs, asked);
  if (asked.isOpenWhileSuspended !== true) refuseSuspended(principal);
  if (asked.isOpenWithoutFactor !== true) requireSecondFactor(principal);
  return principal;
}

async function identifyCaller(
  needs: Pick<Dependencies, 'stores' | 'clock'>,
  { method, headers, publicUrl, clientAddress }: Asked,
): Promise<Principal> {
  const { authorization } = headers;
  if (authorization !== undefined)
    return authenticateKey(needs, readBearer(authorization), clientAddress);
  const sessionId = readSessionCookie(headers, publicUrl);
  if (sessionId === null)
    throw new AppError('missing_token', 'Send an API key as "Authorization: Bearer <API_KEY>".');
  if (method !== 'GET') requireOwnOrigin(headers, publicUrl);
  return authenticateSession(needs, sessionId);
}

/** Returns the token of a bearer challenge (RFC 6750 §2.1). Throws `invalid_token` for any other scheme. */
export function readBearer(authorization: string): string {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization) ?? [];
  if (token === undefined)
    throw new AppError('invalid_token', 'The Authorization header must be "Bearer <API_KEY>".');
  return token;
}
