/** Makes a session for a user who has proved who they are. */

import { SESSIONS_MAX } from '../../domain/accounts/session-rules';
import type { User } from '../../models/accounts/users';
import { hashToken } from '../accounts/api-key-format';
import type { Dependencies } from '../ports/dependencies';

const SESSION_ID_BYTES = 32;

/** The opaque session id: 256 random bits, stored as a hash only. Of too many, the oldest end. */
export async function startSession(
  { stores, clock, randomBytes }: Pick<Dependencies, 'stores' | 'clock' | 'randomBytes'>,
  user: User,
): Promise<string> {
  const sessionId = randomBytes(SESSION_ID_BYTES).toString('base64url');
  const nowMs = clock.now();
  await stores.sessions.create(user.accountId, {
    hash: hashToken(sessionId),
    accountId: user.accountId,
    userId: user.id,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
  });
  const { accountId, id } = user;
  const surplus = (await stores.sessions.listOf(accountId, id)).slice(SESSIONS_MAX);
  await Promise.all(surplus.map(({ hash }) => stores.sessions.remove(accountId, hash)));
  return sessionId;
}
