/** Finds the caller from the headers of a request. An Authorization header never falls back to a cookie. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../platform/errors';
import { type Principal, refuseSuspended } from '../../services/accounts/principal';
import { requireSecondFactor } from '../../services/accounts/require-second-factor';
import type { Dependencies } from '../../services/ports/dependencies';
import { authenticateKey, authenticateSession } from '../../services/sessions/authenticate';
import { findCredential, readToken } from '../server/credential';
import { requireOwnOrigin } from '../server/session-cookie';
import type { OpenWhileSuspended } from './open-while-suspended';
import type { Method } from './route';

interface Asked {
  readonly method: Method;
  readonly headers: IncomingHttpHeaders;
  readonly publicUrl: string;
  readonly clientAddress: string;
  /** The callers that are accepted while the account is suspended. Absent if there is none. */
  readonly openWhileSuspended?: OpenWhileSuspended;
  /** True means that the route also accepts people who must prove a second factor first. */
  readonly isOpenWithoutFactor?: boolean;
}

/**
 * Returns the caller. Throws a 401 code, `account_suspended`, `second_factor_required`, or, for a write that another
 * site sent, `insufficient_scope`.
 */
export async function authenticateRequest(
  needs: Pick<Dependencies, 'stores' | 'clock'>,
  asked: Asked,
): Promise<Principal> {
  const principal = await identifyCaller(needs, asked);
  if (!isOpenFor(principal, asked.openWhileSuspended)) refuseSuspended(principal);
  if (asked.isOpenWithoutFactor !== true) requireSecondFactor(principal);
  return principal;
}

function isOpenFor({ personId }: Principal, open: OpenWhileSuspended = 'nobody'): boolean {
  return open === 'everyone' || (open === 'people' && personId !== undefined);
}

async function identifyCaller(
  needs: Pick<Dependencies, 'stores' | 'clock'>,
  { method, headers, publicUrl, clientAddress }: Asked,
): Promise<Principal> {
  const credential = findCredential(headers, publicUrl);
  if (headers.authorization !== undefined) {
    readBearer(headers.authorization);
    return authenticateKey(needs, credential?.hash ?? null, clientAddress);
  }
  if (credential === null)
    throw new AppError('missing_token', 'Send an API key as "Authorization: Bearer <API_KEY>".');
  if (method !== 'GET') requireOwnOrigin(headers, publicUrl);
  return authenticateSession(needs, credential.hash);
}

/** Returns the bearer token of an Authorization header. Throws `invalid_token` for any other scheme. */
export function readBearer(authorization: string): string {
  const token = readToken(authorization);
  if (token === null)
    throw new AppError('invalid_token', 'The Authorization header must be "Bearer <API_KEY>".');
  return token;
}
