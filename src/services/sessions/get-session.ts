/** Who am I: the account, and the person or the key behind a request. */

import type { SessionResponse } from '../../schemas/responses/account';
import { findAccount } from '../accounts/get-account';
import { presentAccount, presentUser } from '../accounts/present-account';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';

export async function getSession(
  needs: Pick<Dependencies, 'stores' | 'mailer'>,
  { accountId, actor, scopes }: Principal,
): Promise<SessionResponse> {
  const account = presentAccount(await findAccount(needs, accountId));
  const user = actor.type === 'user' ? await needs.stores.users.find(accountId, actor.id) : null;
  return {
    account,
    user: user === null ? null : presentUser(user),
    actor,
    scopes,
    emailEnabled: needs.mailer !== null,
    runsInstallation: await needs.stores.accounts.isFirst(accountId),
  };
}
