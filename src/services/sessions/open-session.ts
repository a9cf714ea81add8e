/** Logs a person in by email address and password. */

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
    const user = await needs.stores.users.findByEmail(email);
    if (!(await verifyPassword(needs, user, password))) {
      await holdBack(needs, email);
      throw new AppError('invalid_token', 'Wrong email or password.', {
        about: user?.id ?? 'nobody',
      });
    }
    if (user === null) throw new Error('a password matched, but there is no user');
    return openSessionFor(needs, user, origin);
  });
}

/** Opens a session for a user whose identity has been proved. */
export async function openSessionFor(
  needs: Dependencies,
  user: User,
  origin: SessionOrigin,
): Promise<SessionOpened> {
  const account = presentAccount(await findAccount(needs, user.accountId));
  const sessionId = await startSession(needs, user, origin);
  return { response: { account, user: presentUser(user) }, sessionId, user };
}

/** Always takes the time of a comparison, so that this time does not reveal whether the user exists. */
export async function verifyPassword(
  { passwords }: Pick<Dependencies, 'passwords'>,
  user: User | null,
  password: string,
): Promise<boolean> {
  const phc = user?.passwordHash ?? null;
  if (phc !== null) return passwords.verify(phc, password);
  await passwords.hash(password);
  return false;
}
