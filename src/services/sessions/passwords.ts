/** Sets passwords: by the person who is signed in, or through a link sent to the person. */

import type { SessionOrigin } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { LinkBody, PasswordBody } from '../../schemas/account';
import { mailLink, newPasswordLink } from '../accounts/account-emails';
import { hashToken } from '../accounts/api-key-format';
import {
  asThrottledTry,
  emailMarks,
  loginMarks,
  mayReset,
  takeTries,
  tokenMarks,
} from '../accounts/login-throttle';
import { mayStillGrant } from '../accounts/members';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';
import { verifyPassword } from './open-session';
import { startSession } from './sessions';

interface PasswordChange {
  readonly body: PasswordBody;
  readonly origin: SessionOrigin;
}

/** Ends all sessions of the person, including the current one, and returns the id of a new session. */
export async function changePassword(
  needs: Dependencies,
  { accountId, actor }: Principal,
  { body, origin }: PasswordChange,
): Promise<string> {
  const { stores, passwords } = needs;
  const user = actor.type === 'user' ? await stores.users.find(accountId, actor.id) : null;
  if (user === null)
    throw new AppError('insufficient_scope', 'API keys have no password. Log in to change yours.');
  await asThrottledTry(needs, loginMarks(user.email, origin.address), async () => {
    if (await verifyPassword(needs, user, body.currentPassword)) return;
    throw new AppError('invalid_token', 'The current password is wrong.');
  });
  await stores.users.setPassword(accountId, user.id, await passwords.hash(body.newPassword));
  await stores.passwordTokens.removeAllOf(accountId, user.id);
  await stores.sessions.removeAllOf(accountId, user.id);
  return startSession(needs, user, origin);
}

const LINK_LIFETIME_MS = 30 * 60_000;

/**
 * Resolves before the email address is looked up, so that callers cannot find out whether it belongs to a user.
 * Without a mail server the link is written to the log of the service, for its operators.
 */
export async function requestPasswordReset(
  needs: Dependencies,
  email: string,
  address: string,
): Promise<void> {
  await takeTries(needs, emailMarks(address));
  sendLink(needs, email).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    needs.notifyOperator({ reason }, 'a password reset could not be prepared');
  });
}

async function sendLink(needs: Dependencies, email: string): Promise<void> {
  const { stores, mailer } = needs;
  const user = await stores.users.findByEmail(email);
  if (user === null) return;
  if (!(await mayReset(needs, user.id))) return;
  const link = await newPasswordLink(needs, user, {
    lifetimeMs: LINK_LIFETIME_MS,
    createdBy: null,
  });
  if (mailer === null) {
    needs.notifyOperator(
      { userId: user.id, link },
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
}

/** Consumes the link and ends every session of the person. Of several parallel callers, exactly one succeeds. */
export async function resetPassword(
  needs: Dependencies,
  { body, address }: PasswordReset,
): Promise<User> {
  return asThrottledTry(needs, tokenMarks(address), async () => {
    const { stores, clock, passwords } = needs;
    const hash = hashToken(body.token);
    const token = await stores.passwordTokens.findByHash(hash);
    const user = token === null ? null : await stores.users.find(token.accountId, token.userId);
    if (token === null || user === null) throw unknownLink();
    if (token.expiresAtMs <= clock.now())
      throw new AppError('expired_token', 'This link has expired. Request a new one.');
    if (!(await mayStillGrant(needs, token, user.role)))
      throw new AppError(
        'invalid_token',
        'The person who added you may no longer give this role. Ask an owner or admin to add you again.',
      );
    const phc = await passwords.hash(body.password);
    if (!(await stores.passwordTokens.consume(user.accountId, hash))) throw unknownLink();
    await stores.users.setPassword(user.accountId, user.id, phc);
    await stores.passwordTokens.removeAllOf(user.accountId, user.id);
    await stores.sessions.removeAllOf(user.accountId, user.id);
    return user;
  });
}

function unknownLink(): AppError {
  return new AppError(
    'invalid_token',
    'This link is not valid or has been used already. Request a new one.',
  );
}
