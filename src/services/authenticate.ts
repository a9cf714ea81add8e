/** Finds out who a request comes from: an API key or a session. It decides on no scope. */
import { allowsApiKeys } from '../domain/plan';
import { AppError } from '../platform/errors';
import { hashToken, isApiKey } from './api-key-format';
import type { Dependencies } from './dependencies';
import { type Principal, scopesOfRole } from './principal';
import { isSessionAlive, SESSION_TOUCH_EVERY_MS } from './session-rules';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** A use is noted at most this often. */
const KEY_TOUCH_EVERY_MS = 60_000;

/**
 * The principal behind an API key. Throws `invalid_token`, `revoked_token`, `expired_token` or
 * `plan_required`; the key is looked up each time, so that a revocation works at once.
 */
export async function authenticateKey({ stores, clock }: Needs, key: string): Promise<Principal> {
  const row = isApiKey(key) ? await stores.apiKeys.findByHash(hashToken(key)) : null;
  if (row === null) throw new AppError('invalid_token', 'This API key is not known.');
  if (row.revokedAtMs !== null)
    throw new AppError('revoked_token', 'This API key was revoked; make a new one.');
  if (row.expiresAtMs !== null && row.expiresAtMs <= clock.now())
    throw new AppError('expired_token', 'This API key has expired; make a new one.');
  const account = await stores.accounts.find(row.accountId);
  if (account === null) throw new AppError('invalid_token', 'This API key is not known.');
  if (!allowsApiKeys(account.plan))
    throw new AppError('plan_required', 'API keys need the plan pro or above.');
  if (clock.now() - (row.lastUsedAtMs ?? 0) >= KEY_TOUCH_EVERY_MS)
    await stores.apiKeys.touch(row.accountId, row.id, clock.now());
  return {
    accountId: row.accountId,
    actor: { type: 'api_key', id: row.id },
    scopes: row.scopes,
  };
}

/** The principal behind a session id; throws `invalid_token` or `expired_token`. */
export async function authenticateSession(
  { stores, clock }: Needs,
  sessionId: string,
): Promise<Principal> {
  const hash = hashToken(sessionId);
  const session = await stores.sessions.findByHash(hash);
  if (session === null) throw new AppError('invalid_token', 'This session is not known; log in.');
  const nowMs = clock.now();
  if (!isSessionAlive(session, nowMs))
    throw new AppError('expired_token', 'This session has ended; log in again.');
  const user = await stores.users.find(session.accountId, session.userId);
  if (user === null) throw new AppError('invalid_token', 'This session is not known; log in.');
  if (nowMs - session.lastSeenAtMs >= SESSION_TOUCH_EVERY_MS)
    await stores.sessions.touch(session.accountId, hash, nowMs);
  return {
    accountId: session.accountId,
    actor: { type: 'user', id: user.id },
    scopes: scopesOfRole(user.role),
  };
}
