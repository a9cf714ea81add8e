/** The sessions of a person, for that person: where they are signed in, and how to end it. */

import { isSessionAlive, SESSION_LIFETIME_MS } from '../../domain/accounts/session-rules';
import { idFrom } from '../../domain/definitions/ids';
import type { Session } from '../../models/accounts/sessions';
import { AppError } from '../../platform/errors';
import type { BrowserSession } from '../../schemas/responses/account';
import { hashToken } from '../accounts/api-key-format';
import type { Principal } from '../accounts/principal';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

const ID_BYTES = 10;

/** A name for the session that is no key to it: made of its hash, which nobody can turn back. */
function idOf({ hash, createdAtMs }: Session): string {
  return idFrom('session', createdAtMs, Buffer.from(hash, 'hex').subarray(0, ID_BYTES));
}

/** Newest first; those that are over are left out. An API key has none. */
export async function listSessions(
  { stores, clock }: Needs,
  principal: Principal,
  currentId: string | null,
): Promise<readonly BrowserSession[]> {
  const found = await sessionsOf(stores, principal);
  const currentHash = currentId === null ? null : hashToken(currentId);
  return found
    .filter((session) => isSessionAlive(session, clock.now()))
    .map((session) => ({
      id: idOf(session),
      createdAt: toInstant(session.createdAtMs),
      lastSeenAt: toInstant(session.lastSeenAtMs),
      endsAt: toInstant(session.createdAtMs + SESSION_LIFETIME_MS),
      isCurrent: session.hash === currentHash,
    }));
}

/** It is refused from the next request on. Throws `not_found`, also for those of others. */
export async function endSession(
  { stores }: Needs,
  principal: Principal,
  id: string,
): Promise<void> {
  const found = await sessionsOf(stores, principal);
  const ended = found.find((session) => idOf(session) === id);
  if (ended === undefined) throw new AppError('not_found', 'There is no session with this id.');
  await stores.sessions.remove(principal.accountId, ended.hash);
}

async function sessionsOf(
  { sessions }: Dependencies['stores'],
  { accountId, actor }: Principal,
): Promise<readonly Session[]> {
  return actor.type === 'user' ? sessions.listOf(accountId, actor.id) : [];
}
