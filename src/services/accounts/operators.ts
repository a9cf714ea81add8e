/** Decides who is an operator of the installation. Operators manage all accounts of the installation. */
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { hasScope, type Principal } from './principal';
import { requireSecondFactor } from './require-second-factor';

type Needs = Pick<Dependencies, 'stores' | 'operatorEmails'>;

/** True for a signed-in operator. API keys do not count as people. */
export async function isOperator(
  needs: Needs,
  { accountId, actor, personId, session }: Principal,
): Promise<boolean> {
  if (personId === undefined) return false;
  return isOperatingMember(needs, accountId, { userId: actor.id, boundTo: session?.boundTo });
}

/**
 * True for owners of the first account, and for people with the confirmed email address of an operator. An unconfirmed
 * address is not enough: without a mail server, an admin can add any address to an account and choose its first
 * password. A session that is valid in only one account is not enough either.
 */
async function isOperatingMember(
  { stores, operatorEmails }: Needs,
  accountId: string,
  { userId, boundTo }: { readonly userId: string; readonly boundTo?: string | undefined },
): Promise<boolean> {
  const user = await stores.users.find(accountId, userId);
  if (user === null) return false;
  const [person, isFirst] = await Promise.all([
    stores.people.find(user.personId),
    stores.accounts.isFirst(accountId),
  ]);
  if (isFirst && user.role === 'owner') return true;
  const isNamed = person !== null && operatorEmails.includes(person.email);
  return isNamed && person.emailConfirmedAtMs != null && boundTo === undefined;
}

/**
 * True for an API key that an operator has created for managing the installation. False if the person who created the
 * key is no longer an operator.
 */
async function isOperatorKey(needs: Needs, { accountId, actor }: Principal): Promise<boolean> {
  const key = await needs.stores.apiKeys.find(accountId, actor.id);
  if (key?.isForOperator !== true || key.createdBy == null) return false;
  return isOperatingMember(needs, accountId, { userId: key.createdBy });
}

/**
 * Throws `insufficient_scope` unless the caller is a signed-in operator or an operator's key. Throws
 * `second_factor_required` if a session has not proved the second factor that the first account requires.
 */
export async function requireOperator(needs: Needs, principal: Principal): Promise<void> {
  if (principal.actor.type !== 'api_key')
    return requireSignedInOperator(
      needs,
      principal,
      'Only operators of this installation may do this.',
    );
  if (await isOperatorKey(needs, principal)) return;
  throw new AppError(
    'insufficient_scope',
    'This needs an API key that an operator of this installation created for operators.',
  );
}

/** Like requireOperator, but never accepts a key. Throws `insufficient_scope` with the message. */
export async function requireSignedInOperator(
  needs: Needs,
  principal: Principal,
  message: string,
): Promise<void> {
  if (!(await isOperator(needs, principal))) throw new AppError('insufficient_scope', message);
  await requireOperatorFactor(needs, principal);
}

async function requireOperatorFactor({ stores }: Needs, principal: Principal): Promise<void> {
  const first = await stores.accounts.findFirst();
  requireSecondFactor({ ...principal, isFactorRequired: first?.requireSecondFactor === true });
}

/**
 * Throws `insufficient_scope` unless the person is an operator or an admin of the first account. Only they may see the
 * pages of Temporal, which show the workflows of all accounts.
 */
export async function requireTemporalUser(needs: Needs, principal: Principal): Promise<void> {
  const { accountId, actor } = principal;
  const isAdmin = actor.type === 'user' && hasScope(principal, 'admin');
  if (isAdmin && (await needs.stores.accounts.isFirst(accountId))) return;
  if (await isOperator(needs, principal)) return requireOperatorFactor(needs, principal);
  throw new AppError(
    'insufficient_scope',
    'Only signed-in operators of this installation, and owners and admins of its first account, may do this.',
  );
}
