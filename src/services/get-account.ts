/** Reads the account of the one who asks. */
import { AppError } from '../platform/errors';
import type { Dependencies } from './dependencies';
import { type AccountAnswer, presentAccount } from './present-account';

type Needs = Pick<Dependencies, 'stores'>;

/** Throws `not_found` when the account is gone. */
export async function findAccount({ stores }: Needs, accountId: string): Promise<AccountAnswer> {
  const account = await stores.accounts.find(accountId);
  if (account === null) throw new AppError('not_found', 'This account does not exist.');
  return presentAccount(account);
}
