/** Identifies the caller of a request by API key or session. Does not check scopes. */
import { PLAN_BOUNDS } from '../../domain/accounts/plan';
import { isSessionAlive, SESSION_TOUCH_EVERY_MS } from '../../domain/accounts/session-rules';
import type { Account } from '../../models/accounts/accounts';
import type { ApiKey } from '../../models/accounts/api-keys';
import type { Session } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import { listUnknownKeyCounters, takeTries } from '../accounts/login-throttle';
import { capScopes, listRoleScopes, type Principal, refuseSuspended } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** The last use of a key is stored at most once in this period. */
const KEY_TOUCH_EVERY_MS = 60_000;

/**
 * Returns the principal of the API key with this hash. `keyHash` is null if the key is malformed. Each request reads
 * the key, so that a revocation takes effect at once. Throws `invalid_token`, `revoked_token`, `expired_token`,
 * `account_suspended` or `plan_required`. Throws `rate_limited` after many unknown keys from one network, but never for
 * a known key.
 */
export async function authenticateKey(
  { stores, clock }: Needs,
  keyHash: string | null,
  address: string,
): Promise<Principal> {
  if (keyHash === null) throw unknownKey();
  const apiKey = await stores.apiKeys.findByHash(keyHash);
  if (apiKey === null) {
    await takeTries({ stores, clock }, listUnknownKeyCounters(address));
    throw unknownKey();
  }
  if (apiKey.revokedAtMs !== null)
    throw new AppError('revoked_token', 'This API key was revoked. Create a new one.', {
      about: apiKey.id,
    });
  if (apiKey.expiresAtMs !== null && apiKey.expiresAtMs <= clock.now())
    throw new AppError('expired_token', 'This API key has expired. Create a new one.', {
      about: apiKey.id,
    });
  const { accountId, createdBy = null } = apiKey;
  const [account, maker] = await Promise.all([
    stores.accounts.find(accountId),
    createdBy === null ? null : stores.users.find(accountId, createdBy),
  ]);
  if (account === null) throw unknownKey();
  if (createdBy !== null && maker === null)
    throw new AppError(
      'revoked_token',
      'The creator of this API key was removed. Create a new key.',
      {
        about: apiKey.id,
      },
    );
  const { keyLimits } = PLAN_BOUNDS[account.plan];
  if (keyLimits === null) {
    refuseSuspended(readSuspension(account));
    throw new AppError('plan_required', 'API keys need the plan pro or above.');
  }
  if (clock.now() - (apiKey.lastUsedAtMs ?? 0) >= KEY_TOUCH_EVERY_MS)
    await stores.apiKeys.touch(accountId, apiKey.id, clock.now());
  const actor = { type: 'api_key', id: apiKey.id, name: apiKey.name } as const;
  const pipelineId = apiKey.pipelineId ?? undefined;
  const scopes = scopesNow(apiKey, maker);
  return { accountId, actor, ...scopes, keyLimits, pipelineId, ...readSuspension(account) };
}

/** Limits the scopes of a key by the current role of the person who created it. */
function scopesNow({ scopes }: ApiKey, maker: User | null): Pick<Principal, 'scopes' | 'cappedBy'> {
  if (maker === null) return { scopes };
  const capped = capScopes(scopes, maker.role);
  const isLess = scopes.some((scope) => !capped.includes(scope));
  return isLess ? { scopes: capped, cappedBy: maker.role } : { scopes };
}

function unknownKey(): AppError {
  return new AppError('invalid_token', 'This API key is not valid.');
}

/** Returns the principal of the session with this hash. Throws `invalid_token` or `expired_token`. */
export async function authenticateSession(
  { stores, clock }: Needs,
  hash: string,
): Promise<Principal> {
  const session = await stores.sessions.findByHash(hash);
  if (session === null)
    throw new AppError('invalid_token', 'This session is not valid. Log in again.');
  const nowMs = clock.now();
  if (!isSessionAlive(session, nowMs))
    throw new AppError('expired_token', 'This session has ended. Log in again.');
  const [user, account] = await Promise.all([
    stores.users.find(session.accountId, session.userId),
    stores.accounts.find(session.accountId),
  ]);
  if (user === null || account === null)
    throw new AppError('invalid_token', 'This session is not valid. Log in again.');
  if (nowMs - session.lastSeenAtMs >= SESSION_TOUCH_EVERY_MS)
    await stores.sessions.touch(session.personId, hash, nowMs);
  return {
    accountId: session.accountId,
    actor: { type: 'user', id: user.id, name: user.email },
    personId: user.personId,
    session: pickProofs(session),
    isFactorRequired: account.requireSecondFactor === true,
    scopes: listRoleScopes(user.role),
    keyLimits: null,
    ...readSuspension(account),
  };
}

function readSuspension({ suspended }: Account): Pick<Principal, 'suspendedFor'> {
  if (suspended === undefined) return {};
  const { reason } = suspended;
  return { suspendedFor: /[.!?]$/.test(reason) ? reason : `${reason}.` };
}

function pickProofs(session: Session): NonNullable<Principal['session']> {
  const { hash, provedAtMs, secondFactorAtMs, issuer, providerSession, boundTo, staySignedIn } =
    session;
  return {
    hash,
    ...(provedAtMs != null && { provedAtMs }),
    ...(secondFactorAtMs != null && { secondFactorAtMs }),
    ...(issuer != null && { issuer }),
    ...(providerSession != null && { providerSession }),
    ...(boundTo != null && { boundTo }),
    ...(staySignedIn === true && { staySignedIn }),
  };
}
