/** Who may give and take which role. It stores nothing. */

import type { MemberRole } from '../../domain/accounts/roles';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import type { Principal } from './principal';

type Needs = Pick<Dependencies, 'stores'>;

/** Only owners make, change and remove owners; an API key is no owner. */
export async function requireMayGrant(
  { stores }: Needs,
  { accountId, actor }: Principal,
  roles: readonly MemberRole[],
): Promise<void> {
  if (!roles.includes('owner')) return;
  const user = actor.type === 'user' ? await stores.users.find(accountId, actor.id) : null;
  if (user?.role === 'owner') return;
  throw new AppError('insufficient_scope', 'Only an owner may do this to or for an owner.');
}

/** The person, or `not_found`. */
export async function findMember(
  { stores }: Needs,
  accountId: string,
  userId: string,
): Promise<User> {
  const user = await stores.users.find(accountId, userId);
  if (user === null) throw new AppError('not_found', 'There is no member with this id.');
  return user;
}

/** Throws `limit_reached` unless more owners than so many are left. */
export async function requireOwners(
  { stores }: Needs,
  accountId: string,
  moreThan: 0 | 1,
): Promise<void> {
  if ((await stores.users.count(accountId, 'owner')) > moreThan) return;
  throw new AppError('limit_reached', 'An account needs an owner: this is the last one.');
}
