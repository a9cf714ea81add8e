/** Reads and changes the account of the caller. */

import { PLAN_BOUNDS } from '../../domain/accounts/plan';
import type { Account } from '../../models/accounts/accounts';
import { AppError } from '../../platform/errors';
import type { AccountBody } from '../../schemas/account';
import type { AccountDetail } from '../../schemas/responses/account';
import { refuseProblems } from '../lists/field-problems';
import { runOrCompensate } from '../lists/run-or-compensate';
import type { Dependencies } from '../ports/dependencies';
import { unknownProfile } from '../profiles/find-profile';
import { countObjects } from './plan-limits';
import { presentAccount } from './present-account';
import type { Principal } from './principal';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Returns the account. Throws `not_found` if the account no longer exists. */
export async function findAccount(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
): Promise<Account> {
  const account = await stores.accounts.find(accountId);
  if (account === null) throw new AppError('not_found', 'This account does not exist.');
  return account;
}

/** Returns the account with the limits of its plan and their current use. */
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
  const { defaultProfile = null, requireSecondFactor = false } = account;
  const settings = { defaultProfile, requireSecondFactor };
  return { ...presentAccount(account), bounds, ...settings, usage, rateLimits: keyLimits };
}

/**
 * Changes the account. Throws `validation_failed` for an unknown default profile. Throws `second_factor_required` if
 * people without a second factor try to require one, because they would lock themselves out.
 */
export async function changeAccount(
  needs: Needs & Pick<Dependencies, 'sleep'>,
  principal: Principal,
  { name, defaultProfile, requireSecondFactor }: AccountBody,
): Promise<AccountDetail> {
  const { accountId } = principal;
  if (requireSecondFactor === true) requireOwnSecondFactor(principal);
  const { accounts } = needs.stores;
  const { defaultProfile: before = null } = await findAccount(needs, accountId);
  if (defaultProfile != null) await requireProfile(needs, accountId, defaultProfile);
  if (name !== undefined) await accounts.rename(accountId, name);
  if (defaultProfile !== undefined) {
    await accounts.setDefaultProfile(accountId, defaultProfile);
    // The profile may have been deleted in the meantime, so its existence is checked again. The deletion of a profile
    // also looks for accounts that still use the profile.
    await runOrCompensate(
      needs,
      () => requireProfile(needs, accountId, defaultProfile),
      () => accounts.setDefaultProfile(accountId, before),
    );
  }
  if (requireSecondFactor !== undefined)
    await accounts.setRequireSecondFactor(accountId, requireSecondFactor);
  return getAccount(needs, accountId);
}

/** Refuses API keys, and people without a second factor, who would lock themselves out. */
function requireOwnSecondFactor({ session }: Principal): void {
  if (session?.secondFactorAtMs !== undefined) return;
  throw new AppError(
    'second_factor_required',
    'Sign in with a second factor of your own before you require one of others.',
  );
}

async function requireProfile(
  { stores }: Needs,
  accountId: string,
  key: string | null,
): Promise<void> {
  if (key === null || (await stores.profiles.findVersion(accountId, key)) !== null) return;
  refuseProblems([{ ...unknownProfile(key), path: 'defaultProfile' }]);
}
