/** Sets passwords of people. A person must be signed in, or open a link that was sent to them. */

import type { PasswordToken } from '../../models/accounts/password-tokens';
import type { Person } from '../../models/accounts/people';
import type { SessionOrigin } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { LinkBody, PasswordBody } from '../../schemas/account';
import { createPasswordLink, mailLink } from '../accounts/account-emails';
import { hashToken } from '../accounts/api-key-format';
import {
  listEmailCounters,
  listLoginCounters,
  listTokenCounters,
  mayReset,
  runThrottled,
  takeTries,
} from '../accounts/login-throttle';
import type { Principal } from '../accounts/principal';
import { endProofs } from '../accounts/stranded-people';
import { notifyOfChange } from '../factors/notify-of-change';
import { requirePasswordsOn } from '../factors/sign-in-ways';
import type { Dependencies } from '../ports/dependencies';
import { joinByInvitation } from './accept-invitation';
import { type SessionOpened, verifyPassword } from './open-session';
import { startSession } from './sessions';

interface PasswordChange {
  readonly body: PasswordBody;
  readonly origin: SessionOrigin;
}

/**
 * Changes the password. Ends all sessions of the person, including the current session. Returns a new session, which
 * keeps the choice to stay signed in.
 */
export async function changePassword(
  needs: Dependencies,
  { accountId, actor, personId, session }: Principal,
  { body, origin }: PasswordChange,
): Promise<Pick<SessionOpened, 'sessionId' | 'staySignedIn'>> {
  requirePasswordsOn(needs);
  const { stores, passwords } = needs;
  const [user, person] =
    personId === undefined
      ? [null, null]
      : await Promise.all([stores.users.find(accountId, actor.id), stores.people.find(personId)]);
  if (user === null || person === null)
    throw new AppError('insufficient_scope', 'API keys have no password. Log in to change yours.');
  await runThrottled(needs, listLoginCounters(person.email, origin.address), async () => {
    if (await verifyPassword(needs, person, body.currentPassword)) return;
    throw new AppError('invalid_token', 'The current password is wrong.');
  });
  await setPassword(needs, person.id, await passwords.hash(body.newPassword));
  notifyOfChange(needs, person.email, 'passwordChanged');
  const { hash: _hash, provedAtMs: _provedAtMs, ...proofs } = session ?? { hash: '' };
  const sessionId = await startSession(needs, user, origin, proofs);
  return { sessionId, staySignedIn: proofs.staySignedIn === true };
}

/** Sets the password. Ends all sessions of the person and all links that the person has requested. */
async function setPassword(
  { stores }: Pick<Dependencies, 'stores'>,
  personId: string,
  phc: string,
): Promise<void> {
  await stores.people.setPassword(personId, phc);
  await stores.passwordTokens.removeForPerson(personId);
  await stores.sessions.removeForPerson(personId);
}

const LINK_LIFETIME_MS = 30 * 60_000;

/**
 * Requests a link. Resolves before the email address is looked up, so that callers cannot find out whether it is known.
 * Without a mail server, the link is written to the log of the service for its operators.
 */
export async function requestPasswordReset(
  needs: Dependencies,
  email: string,
  address: string,
): Promise<void> {
  requirePasswordsOn(needs);
  await takeTries(needs, listEmailCounters(address));
  sendLink(needs, email).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    needs.notifyOperator({ reason }, 'a password reset could not be prepared');
  });
}

async function sendLink(needs: Dependencies, email: string): Promise<void> {
  const { stores, mailer } = needs;
  const person = await stores.people.findByEmail(email);
  if (person === null) return;
  if (!(await mayReset(needs, person.id))) return;
  const link = await createPasswordLink(needs, {
    personId: person.id,
    lifetimeMs: LINK_LIFETIME_MS,
  });
  if (mailer === null) {
    needs.notifyOperator(
      { personId: person.id, link },
      'a password reset was requested: pass this link on',
    );
    return;
  }
  await mailLink(needs, {
    to: email,
    subject: 'Reset your Keepwatch password',
    sentences: [
      'Someone asked to reset the password of your Keepwatch account.',
      'Use this link within 30 minutes to set a new password. If it was not you, ignore this message.',
    ],
    link,
  });
}

interface PasswordReset {
  readonly body: LinkBody;
  readonly address: string;
  /** The session id of the request. null if the request has no session. */
  readonly sessionId: string | null;
}

/**
 * Sets the password through the link, and ends all sessions of the person. If the link is the first one that confirms
 * the email address, also ends all factors and identities of the person. Accepts links of invitations, because earlier
 * releases sent them for this page. Only one of several parallel callers succeeds.
 */
export async function resetPassword(
  needs: Dependencies,
  { body, address, sessionId }: PasswordReset,
): Promise<User> {
  requirePasswordsOn(needs);
  return runThrottled(needs, listTokenCounters(address), async () => {
    const { stores, clock } = needs;
    const hash = hashToken(body.token);
    const token = await stores.passwordTokens.findByHash(hash);
    if (token === null) {
      if ((await stores.invitations.findByHash(hash)) === null) throw unknownLink();
      return (await joinByInvitation(needs, { body, address, sessionId })).user;
    }
    const person = await stores.people.find(token.personId);
    if (person === null) throw unknownLink();
    if (token.expiresAtMs <= clock.now())
      throw new AppError('expired_token', 'This link has expired. Request a new one.');
    return setForgotten(needs, { token, person, body });
  });
}

interface Forgotten {
  readonly token: PasswordToken;
  readonly person: Person;
  readonly body: LinkBody;
}

async function setForgotten(
  needs: Dependencies,
  { token, person, body }: Forgotten,
): Promise<User> {
  const { stores, clock, passwords } = needs;
  const phc = await passwords.hash(body.password);
  const [member] = await stores.users.listOfPerson(person.id);
  if (member === undefined || !(await stores.passwordTokens.consume(token.hash)))
    throw unknownLink();
  await setPassword(needs, person.id, phc);
  // The link was mailed to the address, or passed on by an operator. Before, someone else may have used the address, so
  // all earlier proofs end. The confirmation comes last. If the process ends before it, the next link ends the
  // remaining proofs.
  if (person.emailConfirmedAtMs == null) await endProofs(needs, person.id);
  await stores.people.confirmEmail(person.id, clock.now());
  notifyOfChange(needs, person.email, 'passwordReset');
  return member;
}

function unknownLink(): AppError {
  return new AppError(
    'invalid_token',
    'This link is not valid or has been used already. Request a new one.',
  );
}
