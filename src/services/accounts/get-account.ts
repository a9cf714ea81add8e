/** Reads and renames the account of the caller. */

import { PLAN_BOUNDS } from '../../domain/accounts/plan';
import type { Account } from '../../models/accounts/accounts';
import { AppError } from '../../platform/errors';
import type { AccountDetail } from '../../schemas/responses/account';
import type { Dependencies } from '../ports/dependencies';
import { countObjects } from './plan-limits';
import { presentAccount } from './present-account';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Throws `not_found` when the account no longer exists. */
export async function findAccount(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
): Promise<Account> {
  const account = await stores.accounts.find(accountId);
  if (account === null) throw new AppError('not_found', 'This account does not exist.');
  return account;
}

/** The account with the limits of its plan and their usage. */
export async function getAccount(needs: Needs, accountId: string): Promise<AccountDetail> {
  const account = await findAccount(needs, accountId);
  const { keyLimits, ...bounds } = PLAN_BOUNDS[account.plan];
  const [monitors, scenarios, members, apiKeys] = await Promise.all([
    countObjects(needs, accountId, 'monitors'),
    countObjects(needs, accountId, 'scenarios'),
    countObjects(needs, accountId, 'members'),
    needs.stores.apiKeys.count(accountId),
  ]);
  const usage = { monitors, scenarios, members, apiKeys };
  return { ...presentAccount(account), bounds, usage, rateLimits: keyLimits };
}

export async function renameAccount(
  needs: Needs,
  accountId: string,
  name: string,
): Promise<AccountDetail> {
  await needs.stores.accounts.rename(accountId, name);
  return getAccount(needs, accountId);
}
