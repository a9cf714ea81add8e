/** Who runs the installation: the owners and admins of its first account. */
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { type Principal, requireScope } from './principal';

/**
 * For what shows or changes the whole installation, as persons. Throws `insufficient_scope` for API keys,
 * which programs hold, for lesser roles, and for people of any other account.
 */
export async function requireOperator(
  { stores }: Pick<Dependencies, 'stores'>,
  principal: Principal,
): Promise<void> {
  requireScope(principal, 'admin');
  const { actor, accountId } = principal;
  if (actor.type === 'user' && (await stores.accounts.isFirst(accountId))) return;
  throw new AppError(
    'insufficient_scope',
    'This is for signed-in owners and admins of the first account of this installation.',
  );
}

/**
 * For its settings, which programs may change, too. Throws `insufficient_scope` without the scope `admin`
 * and in any other account.
 */
export async function requireInstallationAdmin(
  { stores }: Pick<Dependencies, 'stores'>,
  principal: Principal,
): Promise<void> {
  requireScope(principal, 'admin');
  if (await stores.accounts.isFirst(principal.accountId)) return;
  throw new AppError(
    'insufficient_scope',
    'This is for owners and admins of the first account of this installation, and its keys with the scope admin.',
  );
}
