/** Signs a person in by email address and password. */

import type { Person } from '../../models/accounts/people';
import type { SessionOrigin, SessionProofs } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { SessionBody } from '../../schemas/account';
import type { OpenedSession } from '../../schemas/responses/account';
import type { SecondFactorAsked } from '../../schemas/responses/sign-in';
import { findAccount } from '../accounts/get-account';
import { delayResponse, listLoginCounters, runThrottled } from '../accounts/login-throttle';
import { presentAccount, presentUser } from '../accounts/present-account';
import { recordFailedSignIn } from '../accounts/record-failed-sign-in';
import { askSecondFactor } from '../factors/ask-second-factor';
import { isPasswordAllowed, requirePasswordsOn } from '../factors/sign-in-ways';
import type { Dependencies } from '../ports/dependencies';
import { startSession } from './sessions';

export interface SessionOpened {
  readonly kind: 'opened';
  readonly response: OpenedSession;
  readonly sessionId: string;
  readonly staySignedIn: boolean;
  readonly user: User;
}

/** The first factor is proved. No session is opened until the person proves a second factor. */
interface FactorAsked {
  readonly kind: 'factor_asked';
  readonly response: SecondFactorAsked;
  readonly user: User;
}

export type SignInOutcome = SessionOpened | FactorAsked;

/**
 * Opens a session. Throws `invalid_token` for an unknown email address or a wrong password, after the same time. Throws
 * `rate_limited` after many wrong tries from one network.
 */
export async function openSession(
  needs: Dependencies,
  { email, password, staySignedIn }: SessionBody,
  origin: SessionOrigin,
): Promise<SignInOutcome> {
  requirePasswordsOn(needs);
  return runThrottled(needs, listLoginCounters(email, origin.address), async () => {
    const person = await needs.stores.people.findByEmail(email);
    const isRight = await verifyPassword(needs, person, password);
    // The refusal is the same as for a wrong password. Otherwise, it would reveal that the password is right.
    if (!isRight || person === null || !(await isPasswordAllowed(needs, person.id))) {
      const attempt = { clientIp: origin.address, by: 'password' } as const;
      if (person !== null) recordFailedSignIn(needs, { personId: person.id, ...attempt });
      await delayResponse(needs, email);
      const message =
        needs.signIn.passwords === 'owners'
          ? 'Wrong email or password, or you may not sign in with a password: only owners may.'
          : 'Wrong email or password.';
      throw new AppError('invalid_token', message, {
        about: person?.id ?? 'nobody',
      });
    }
    const user = await chooseMembership(needs, person);
    return openSessionFor(needs, user, origin, { staySignedIn });
  });
}

/**
 * Returns the membership in which a session of the person starts. This is the account to which the person last
 * switched, or else the first account. Throws `invalid_token`.
 */
export async function chooseMembership(
  needs: Pick<Dependencies, 'stores'>,
  person: Pick<Person, 'id' | 'lastAccountId'>,
): Promise<User> {
  const user = await findMembership(needs, person);
  if (user !== null) return user;
  throw new AppError(
    'invalid_token',
    'You are not a member of any account. Use the link from your invitation, or ask for a new one.',
  );
}

/** Like chooseMembership. Returns null if the person is in no account. */
export async function findMembership(
  { stores }: Pick<Dependencies, 'stores'>,
  { id, lastAccountId }: Pick<Person, 'id' | 'lastAccountId'>,
): Promise<User | null> {
  const memberships = await stores.users.listOfPerson(id);
  const isLast = ({ accountId }: User): boolean => accountId === lastAccountId;
  for (const user of [...memberships.filter(isLast), ...memberships])
    if ((await stores.accounts.find(user.accountId)) !== null) return user;
  return null;
}

/** Throws `proof_required` if the proofs are valid only in another account. */
export function requireProofsFor(
  { accountId }: Pick<User, 'accountId'>,
  { boundTo }: SessionProofs,
): void {
  if (boundTo === undefined || boundTo === accountId) return;
  throw new AppError(
    'proof_required',
    'Your identity provider belongs to one account. Sign in with a password or a passkey to enter another one.',
  );
}

/**
 * Opens a session for a person whose first factor is proved. If the person has a second factor that is not proved yet,
 * asks for it instead.
 */
export async function openSessionFor(
  needs: Dependencies,
  user: User,
  origin: SessionOrigin,
  proofs: SessionProofs = {},
): Promise<SignInOutcome> {
  requireProofsFor(user, proofs);
  if (proofs.secondFactorAtMs === undefined) {
    const asked = await askSecondFactor(needs, user, proofs);
    if (asked !== null) return { kind: 'factor_asked', response: asked, user };
  }
  const response = await presentOpened(needs, user);
  const sessionId = await startSession(needs, user, origin, proofs);
  const staySignedIn = proofs.staySignedIn === true;
  return { kind: 'opened', response, sessionId, staySignedIn, user };
}

/** Returns the user and the account. */
export async function presentOpened(
  needs: Pick<Dependencies, 'stores'>,
  user: User,
): Promise<OpenedSession> {
  const account = presentAccount(await findAccount(needs, user.accountId));
  return { account, user: presentUser(user) };
}

/**
 * Returns true if the password is right. Always takes the time of a comparison, so that the duration does not reveal
 * whether the person exists.
 */
export async function verifyPassword(
  { passwords }: Pick<Dependencies, 'passwords'>,
  person: Person | null,
  password: string,
): Promise<boolean> {
  const phc = person?.passwordHash ?? null;
  if (phc !== null) return passwords.verify(phc, password);
  await passwords.hash(password);
  return false;
}
