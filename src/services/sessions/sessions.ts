/** Starts, lists and ends the sessions of people, and describes the current session. */
import { describeDevice } from '../../domain/accounts/describe-device';
import {
  chooseSessionLimits,
  isSessionAlive,
  SESSIONS_MAX,
} from '../../domain/accounts/session-rules';
import { buildId } from '../../domain/definitions/ids';
import type { Session, SessionOrigin, SessionProofs } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { BrowserSession, SessionResponse } from '../../schemas/responses/account';
import { hashToken } from '../accounts/api-key-format';
import { findAccount } from '../accounts/get-account';
import { isOperator } from '../accounts/operators';
import { presentAccount, presentUser } from '../accounts/present-account';
import type { Principal } from '../accounts/principal';
import { needsSecondFactor } from '../accounts/require-second-factor';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

const ID_BYTES = 10;

/** Returns the public id of the session. It is derived from the hash, and gives no access to the session. */
function buildSessionId({ hash, createdAtMs }: Session): string {
  return buildId('session', createdAtMs, Buffer.from(hash, 'hex').subarray(0, ID_BYTES));
}

/** Lists the open sessions of the person in all accounts, newest first. Empty for an API key. */
export async function listSessions(
  { stores, clock }: Needs,
  principal: Principal,
  currentId: string | null,
): Promise<readonly BrowserSession[]> {
  const found = await listOwnSessions(stores, principal);
  const currentHash = currentId === null ? null : hashToken(currentId);
  return found
    .filter((session) => isSessionAlive(session, clock.now()))
    .map((session) => ({
      id: buildSessionId(session),
      device: describeDevice(session.userAgent ?? ''),
      userAgent: session.userAgent ?? null,
      ip: session.address || null,
      createdAt: toInstant(session.createdAtMs),
      lastSeenAt: toInstant(session.lastSeenAtMs),
      endsAt: toInstant(session.createdAtMs + chooseSessionLimits(session).lifetimeMs),
      isCurrent: session.hash === currentHash,
      staySignedIn: session.staySignedIn === true,
    }));
}

/**
 * Ends the session. From then on, requests with the session are refused. Throws `not_found` if the session is unknown
 * or belongs to another person.
 */
export async function endSession(
  { stores }: Needs,
  principal: Principal,
  id: string,
): Promise<void> {
  const found = await listOwnSessions(stores, principal);
  const ended = found.find((session) => buildSessionId(session) === id);
  if (ended === undefined) throw new AppError('not_found', 'There is no session with this id.');
  await stores.sessions.remove(ended.personId, ended.hash);
}

/** Ends every session of the person except the current one. Throws `insufficient_scope` for an API key. */
export async function endOtherSessions(
  { stores }: Needs,
  principal: Principal,
  currentId: string | null,
): Promise<void> {
  const { personId } = principal;
  if (personId === undefined || currentId === null)
    throw new AppError('insufficient_scope', 'API keys have no sessions. Sign in to end yours.');
  await stores.sessions.removeOthers(personId, hashToken(currentId));
}

async function listOwnSessions(
  { sessions }: Dependencies['stores'],
  { personId }: Principal,
): Promise<readonly Session[]> {
  return personId === undefined ? [] : sessions.listForPerson(personId);
}

const SESSION_ID_BYTES = 32;
/** The maximum length of a stored User-Agent. A longer header is cut. */
const USER_AGENT_MAX = 300;

/** Creates a random session id of 256 bits, and its hash. Only the hash is stored. */
export function newSessionId({ randomBytes }: Pick<Dependencies, 'randomBytes'>): {
  readonly sessionId: string;
  readonly hash: string;
} {
  const sessionId = randomBytes(SESSION_ID_BYTES).toString('base64url');
  return { sessionId, hash: hashToken(sessionId) };
}

/**
 * Starts a session in the account of the user, and returns its opaque id. If the person has too many sessions, removes
 * the expired ones first, then the oldest ones.
 * @param proofs The proofs of the sign-in, or of the session that the new session replaces. If they contain no time,
 *   the person counts as having just proved their identity.
 */
export async function startSession(
  { stores, clock, randomBytes }: Pick<Dependencies, 'stores' | 'clock' | 'randomBytes'>,
  user: User,
  { address, userAgent }: SessionOrigin,
  proofs: SessionProofs = {},
): Promise<string> {
  const { sessionId, hash } = newSessionId({ randomBytes });
  const nowMs = clock.now();
  const { personId } = user;
  await stores.sessions.create({
    hash,
    personId,
    accountId: user.accountId,
    userId: user.id,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    address,
    userAgent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    provedAtMs: nowMs,
    ...proofs,
  });
  const sessions = await stores.sessions.listForPerson(personId);
  const isOpen = (session: Session): boolean => isSessionAlive(session, nowMs);
  const byUse = [...sessions.filter(isOpen), ...sessions.filter((one) => !isOpen(one))];
  const surplus = byUse.slice(SESSIONS_MAX);
  await Promise.all(surplus.map(({ hash }) => stores.sessions.remove(personId, hash)));
  return sessionId;
}

/** Ends the session. Does nothing if the session has ended. */
export async function closeSession(
  { stores }: Pick<Dependencies, 'stores'>,
  { personId }: Principal,
  sessionId: string,
): Promise<void> {
  if (personId !== undefined) await stores.sessions.remove(personId, hashToken(sessionId));
}

export async function getSession(
  needs: Pick<Dependencies, 'stores' | 'mailer' | 'operatorEmails'>,
  principal: Principal,
): Promise<SessionResponse> {
  const { accountId, actor, scopes } = principal;
  const { users, accounts } = needs.stores;
  const account = presentAccount(await findAccount(needs, accountId));
  const user = actor.type === 'user' ? await users.find(accountId, actor.id) : null;
  return {
    account,
    user: user === null ? null : presentUser(user),
    actor,
    scopes,
    emailEnabled: needs.mailer !== null,
    accounts: await listOwnAccounts(needs, principal),
    operator: await isOperator(needs, principal),
    needsSecondFactor: needsSecondFactor(principal),
    runsInstallation: await accounts.isFirst(accountId),
  };
}

/** Lists the accounts of the signed-in person, oldest first. Empty for an API key. */
async function listOwnAccounts(
  { stores }: Pick<Dependencies, 'stores'>,
  { personId }: Principal,
): Promise<SessionResponse['accounts']> {
  if (personId === undefined) return [];
  const memberships = await stores.users.listOfPerson(personId);
  const found = await Promise.all(
    memberships.map(async ({ accountId, role }) => {
      const account = await stores.accounts.find(accountId);
      if (account === null) return [];
      const { id, name, suspended } = account;
      return [{ id, name, role, suspended: suspended !== undefined }];
    }),
  );
  return found.flat();
}
