/** Logs a person in by address and password. */
import { AppError } from '../platform/errors';
import type { SessionBody } from '../schemas/account';
import type { Dependencies } from './dependencies';
import { findAccount } from './get-account';
import { type AccountAnswer, presentUser, type UserAnswer } from './present-account';
import { startSession } from './start-session';

interface SessionAnswer {
  readonly account: AccountAnswer;
  readonly user: UserAnswer;
}

export interface SessionOpened {
  readonly answer: SessionAnswer;
  readonly sessionId: string;
}

/** Takes as long for an unknown address as for a wrong password; both are `invalid_token`. */
export async function openSession(needs: Dependencies, body: SessionBody): Promise<SessionOpened> {
  const user = await needs.stores.users.findByEmail(body.email);
  if (user === null) {
    // The work of a comparison, so that the time does not tell which addresses exist.
    await needs.passwords.hash(body.password);
    throw wrongCredentials();
  }
  if (!(await needs.passwords.verify(user.passwordHash, body.password))) throw wrongCredentials();
  const account = await findAccount(needs, user.accountId);
  const sessionId = await startSession(needs, user);
  return { answer: { account, user: presentUser(user) }, sessionId };
}

function wrongCredentials(): AppError {
  return new AppError('invalid_token', 'The address or the password is not right.');
}
