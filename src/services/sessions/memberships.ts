/** Switches between the accounts of a signed-in person, and lets the person leave an account. */
import type { Session } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import { hashToken } from '../accounts/api-key-format';
import { endMembership } from '../accounts/members';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';
import { requireProofsFor } from './open-session';
import { newSessionId } from './sessions';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'randomBytes'>;

export interface Moved {
  /** The new id of the session. */
  readonly sessionId: string;
  readonly staySignedIn: boolean;
  readonly user: User;
}

interface Moving {
  readonly sessionId: string | null;
  readonly accountId: string;
}

/**
 * Moves the session to another account of the person. The session gets a new id and keeps its age. Throws `not_found`
 * if the person is not a member of the account, and `insufficient_scope` for API keys. Throws `proof_required` if the
 * session is valid only in its own account.
 */
export async function switchAccount(
  needs: Needs,
  principal: Principal,
  { sessionId, accountId }: Moving,
): Promise<Moved> {
  const session = await readOwnSession(needs, principal, sessionId);
  const user = await findPlace(needs, session.personId, (one) => one.accountId === accountId);
  if (user === null) throw new AppError('not_found', 'You are not a member of such an account.');
  return moveSession(needs, session, user);
}

/**
 * Leaves the account of the session, and moves the session to another account of the person. Returns null if the
 * session ends: either the person has no other account and is deleted, or the session is valid in no other account.
 * Throws the same errors as the removal of a member, so the last owner cannot leave.
 */
export async function leaveAccount(
  needs: Needs,
  principal: Principal,
  sessionId: string | null,
): Promise<Moved | null> {
  const session = await readOwnSession(needs, principal, sessionId);
  const { accountId } = principal;
  const next =
    session.boundTo == null
      ? await findPlace(needs, session.personId, (one) => one.accountId !== accountId)
      : null;
  const moved = next === null ? null : await moveSession(needs, session, next);
  try {
    await endMembership(needs, principal, { id: principal.actor.id, apiKeys: 'end' });
  } catch (error) {
    // The person was not removed, so the session is moved back.
    const { sessions } = needs.stores;
    const isMoved =
      moved !== null && (await sessions.remove(session.personId, hashToken(moved.sessionId)));
    if (isMoved) await sessions.create(session);
    throw error;
  }
  return moved;
}

async function readOwnSession(
  { stores }: Needs,
  { personId }: Principal,
  sessionId: string | null,
): Promise<Session> {
  const session =
    sessionId === null || personId === undefined
      ? null
      : await stores.sessions.findByHash(hashToken(sessionId));
  if (session !== null) return session;
  throw new AppError(
    'insufficient_scope',
    'API keys belong to one account. Sign in to change accounts.',
  );
}

/** Returns the first membership that `isWanted` accepts and whose account still exists. null if there is none. */
async function findPlace(
  { stores }: Needs,
  personId: string,
  isWanted: (user: User) => boolean,
): Promise<User | null> {
  const memberships = await stores.users.listOfPerson(personId);
  for (const user of memberships) {
    if (!isWanted(user)) continue;
    if ((await stores.accounts.find(user.accountId)) !== null) return user;
  }
  return null;
}

async function moveSession(needs: Needs, session: Session, user: User): Promise<Moved> {
  const { sessions, people } = needs.stores;
  requireProofsFor(user, { ...(session.boundTo != null && { boundTo: session.boundTo }) });
  const { sessionId, hash } = newSessionId(needs);
  const { id: userId, accountId, personId } = user;
  await sessions.create({ ...session, hash, accountId, userId });
  if (!(await sessions.remove(personId, session.hash))) {
    // The old session was ended because the password or a factor changed at the same time. The new session must end as
    // well.
    await sessions.remove(personId, hash);
    throw new AppError('invalid_token', 'This session has ended. Sign in again.');
  }
  await people.setLastAccount(personId, accountId);
  return { sessionId, staySignedIn: session.staySignedIn === true, user };
}
