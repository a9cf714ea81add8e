/** Gives a person the right to set a password once, by a link. It sends nothing. */

import type { User } from '../../models/accounts/users';
import type { Dependencies } from '../ports/dependencies';
import { newLinkToken, passwordLink } from './account-emails';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'randomBytes' | 'publicUrl'>;

/** The link; only the hash of its token is kept. */
export async function newPasswordLink(
  needs: Needs,
  { id: userId, accountId }: User,
  lifetimeMs: number,
): Promise<string> {
  const { token, hash } = newLinkToken(needs);
  const createdAtMs = needs.clock.now();
  await needs.stores.passwordTokens.create(accountId, {
    hash,
    accountId,
    userId,
    createdAtMs,
    expiresAtMs: createdAtMs + lifetimeMs,
  });
  return passwordLink(needs, token);
}
