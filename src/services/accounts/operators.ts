/** Who operates the installation, that is all of its accounts. API keys never do. */
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { holdsScope, type Principal } from './principal';
import { requireSecondFactor } from './require-second-factor';

type Needs = Pick<Dependencies, 'stores' | 'operatorEmails'>;

/**
 * True for owners of the first account, and for people whose address is one of the operators'. Such an address must be
 * confirmed: without a mail server, an admin can invite any address to an account and choose its first password. A
 * provider of one account proves no operator.
 */
export async function isOperator(
  { stores, operatorEmails }: Needs,
  { accountId, actor, personId, session }: Principal,
): Promise<boolean> {
  if (personId === undefined) return false;
  const [person, user, isFirst] = await Promise.all([
    stores.people.find(personId),
    stores.users.find(accountId, actor.id),
    stores.accounts.isFirst(accountId),
  ]);
  if (isFirst && user?.role === 'owner') return true;
  const isNamed = person !== null && operatorEmails.includes(person.email);
  return isNamed && person.emailConfirmedAtMs != null && session?.boundTo === undefined;
}

/**
 * In any account, an operator needs the second factor that the first account requires. Throws `insufficient_scope` and
 * `second_factor_required`.
 */
export async function requireOperator(needs: Needs, principal: Principal): Promise<void> {
  if (await isOperator(needs, principal)) return requireOperatorFactor(needs, principal);
  throw new AppError(
    'insufficient_scope',
    'Only signed-in operators of this installation may do this.',
  );
}

async function requireOperatorFactor({ stores }: Needs, principal: Principal): Promise<void> {
  const first = await stores.accounts.findFirst();
  requireSecondFactor({ ...principal, isFactorRequired: first?.requireSecondFactor === true });
}

/**
 * For the pages of Temporal, which show the workflows of all accounts: operators, and admins of the first account. Throws
 * `insufficient_scope`.
 */
export async function requireTemporalUser(needs: Needs, principal: Principal): Promise<void> {
  const { accountId, actor } = principal;
  const isAdmin = actor.type === 'user' && holdsScope(principal, 'admin');
  if (isAdmin && (await needs.stores.accounts.isFirst(accountId))) return;
  if (await isOperator(needs, principal)) return requireOperatorFactor(needs, principal);
  throw new AppError(
    'insufficient_scope',
    'Only signed-in operators of this installation, and owners and admins of its first account, may do this.',
  );
}
