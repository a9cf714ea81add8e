/** Logs a person in by email address and password. */

import type { Person } from '../../models/accounts/people';
import type { SessionOrigin } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { SessionBody } from '../../schemas/account';
import type { OpenedSession } from '../../schemas/responses/account';
import { findAccount } from '../accounts/get-account';
import { asThrottledTry, holdBack, loginMarks } from '../accounts/login-throttle';
import { presentAccount, presentUser } from '../accounts/present-account';
import type { Dependencies } from '../ports/dependencies';
import { startSession } from './sessions';

export interface SessionOpened {
  readonly response: OpenedSession;
  readonly sessionId: string;
  readonly user: User;
}

/**
 * Takes as long for an unknown email address as for a wrong password; both throw `invalid_token`. Many wrong
 * attempts from one network make that network wait: `rate_limited`.
 */
export async function openSession(
  needs: Dependencies,
  { email, password }: SessionBody,
  origin: SessionOrigin,
): Promise<SessionOpened> {
  return asThrottledTry(needs, loginMarks(email, origin.address), async () => {
    const person = await needs.stores.people.findByEmail(email);
    if (!(await verifyPassword(needs, person, password))) {
      await holdBack(needs, email);
      throw new AppError('invalid_token', 'Wrong email or password.', {
        about: person?.id ?? 'nobody',
      });
    }
    if (person === null) throw new Error('a password matched, but there is no person');
    return openSessionFor(needs, await chooseMembership(needs, person.id), origin);
  });
}

/** Where a session of the person starts: the first account that the person joined. Throws `invalid_token`. */
async function chooseMembership(
  { stores }: Pick<Dependencies, 'stores'>,
  personId: string,
): Promise<User> {
  const memberships = await stores.users.listOfPerson(personId);
  const joined = memberships.find(({ joinedAtMs }) => joinedAtMs !== null);
  if (joined !== undefined) return joined;
  throw new AppError(
    'invalid_token',
    'You are not a member of any account. Use the link from your invitation, or ask for a new one.',
  );
}

/** Opens a session in the account of the user, whose identity has been proved. */
export async function openSessionFor(
  needs: Dependencies,
  user: User,
  origin: SessionOrigin,
): Promise<SessionOpened> {
  const account = presentAccount(await findAccount(needs, user.accountId));
  const sessionId = await startSession(needs, user, origin);
  return { response: { account, user: presentUser(user) }, sessionId, user };
}

/** Always takes the time of a comparison, so that this time does not reveal whether the person exists. */
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
