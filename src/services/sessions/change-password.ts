/** Changes the password of whoever is logged in. */
import { AppError } from '../../platform/errors';
import type { PasswordBody } from '../../schemas/account';
import { asThrottledTry, loginMarks } from '../accounts/login-throttle';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';
import { isPasswordOf } from './open-session';
import { startSession } from './start-session';

interface PasswordChange {
  readonly body: PasswordBody;
  readonly address: string;
}

/** The id of a new session: all that were open end, the one that asks included. */
export async function changePassword(
  needs: Dependencies,
  { accountId, actor }: Principal,
  { body, address }: PasswordChange,
): Promise<string> {
  const { stores, passwords } = needs;
  const user = actor.type === 'user' ? await stores.users.find(accountId, actor.id) : null;
  if (user === null)
    throw new AppError('insufficient_scope', 'API keys have no password; log in to change yours.');
  await asThrottledTry(needs, loginMarks(user.email, address), async () => {
    if (await isPasswordOf(needs, user, body.currentPassword)) return;
    throw new AppError('invalid_token', 'The current password is not right.');
  });
  await stores.users.setPassword(accountId, user.id, await passwords.hash(body.newPassword));
  await stores.passwordTokens.removeAllOf(accountId, user.id);
  await stores.sessions.removeAllOf(accountId, user.id);
  return startSession(needs, user);
}
