/** Who am I: the account, and the person or the key behind a request. */

import type { Scope } from '../../domain/accounts/roles';
import { findAccountRow } from '../accounts/get-account';
import {
  type AccountResponse,
  presentAccount,
  presentUser,
  type UserResponse,
} from '../accounts/present-account';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';

export interface WhoAmI {
  readonly account: AccountResponse;
  /** null for an API key. */
  readonly user: UserResponse | null;
  readonly actor: Principal['actor'];
  readonly scopes: readonly Scope[];
  /** Whether this installation has a mail server: without one no email is sent. */
  readonly emailEnabled: boolean;
}

export async function getSession(
  needs: Pick<Dependencies, 'stores' | 'mailer'>,
  { accountId, actor, scopes }: Principal,
): Promise<WhoAmI> {
  const account = presentAccount(await findAccountRow(needs, accountId));
  const user = actor.type === 'user' ? await needs.stores.users.find(accountId, actor.id) : null;
  return {
    account,
    user: user === null ? null : presentUser(user),
    actor,
    scopes,
    emailEnabled: needs.mailer !== null,
  };
}
