/** Back-channel logout: an identity provider ends the sessions that it opened. */
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import { hashToken } from '../accounts/api-key-format';
import { listTokenCounters, runThrottled } from '../accounts/login-throttle';
import type { Dependencies } from '../ports/dependencies';
import { findProvider, reportFailure } from './provider-flow';

interface Logout {
  readonly providerId: string;
  readonly token: string;
  readonly clientIp: string;
}

/**
 * Ends the sessions, and returns the members whose sessions have ended. Each token is accepted once. Throws
 * `validation_failed` for an invalid token (OpenID Connect Back-Channel Logout 1.0 §2.8). Also throws `not_found`,
 * `unavailable` and `rate_limited`.
 */
export async function logOutByProvider(
  needs: Dependencies,
  { providerId, token, clientIp }: Logout,
): Promise<readonly User[]> {
  const { stores } = needs;
  const provider = findProvider(needs, providerId);
  const logout = await runThrottled(needs, listTokenCounters(clientIp), async () => {
    const reading = await provider.readLogoutToken(token);
    if (reading.kind === 'logout') return reading.logout;
    reportFailure(needs, provider, reading.reason);
    if (reading.kind === 'away')
      throw new AppError('unavailable', 'The keys of the provider cannot be read. Try again.');
    throw new AppError('invalid_token', 'This is not a valid logout token.');
  }).catch(toBadRequest);
  const { subject, providerSession, tokenId, expiresAtMs } = logout;
  const hash = hashToken(JSON.stringify(['logout', provider.issuer, tokenId]));
  const used = { hash, kind: 'logout_token', personId: null, detail: {}, expiresAtMs } as const;
  if (!(await stores.signInSteps.create(used)))
    throw new AppError('validation_failed', 'This logout token was used before.');
  const identity = subject === null ? null : await stores.identities.find(provider.issuer, subject);
  if (subject !== null && identity === null) return [];
  const sessions = await stores.sessions.listOfProvider(provider.issuer, {
    ...(identity !== null && { personId: identity.personId }),
    ...(providerSession !== null && { providerSession }),
  });
  await Promise.all(sessions.map(({ personId, hash }) => stores.sessions.remove(personId, hash)));
  const places = new Map(sessions.map(({ userId, accountId }) => [userId, accountId]));
  const users = await Promise.all(
    [...places].map(([userId, accountId]) => stores.users.find(accountId, userId)),
  );
  return users.filter((user) => user !== null);
}

function toBadRequest(error: unknown): never {
  if (error instanceof AppError && error.code === 'invalid_token')
    throw new AppError('validation_failed', error.message);
  throw error;
}
