/** The members of an account, and who may grant and revoke which role. An account always has an owner. */

import type { MemberRole } from '../../domain/accounts/roles';
import type { ApiKey } from '../../models/accounts/api-keys';
import type { Invitation } from '../../models/accounts/invitations';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { MemberResponse } from '../../schemas/responses/account';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { refuseNamedInPolicies } from './named-in-policies';
import { presentInvited, presentMember } from './present-account';
import { capScopes, findMaker, type Principal } from './principal';
import { removeStrandedPerson } from './stranded-people';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Lists the members, newest first. */
export async function listMembers(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<MemberResponse>> {
  return readList({ accountId, list: 'members' }, request, {
    read: (query) => stores.users.list(accountId, query),
    present: presentMember,
  });
}

/** Returns the member, or a person who was added and has not accepted yet. Throws `not_found`. */
export async function getMember(
  needs: Needs,
  accountId: string,
  userId: string,
): Promise<MemberResponse> {
  const invited = await findInvited(needs, accountId, userId);
  if (invited !== null) return presentInvited(invited, userId);
  return presentMember(await findMember(needs, accountId, userId));
}

/**
 * Returns the open invitation that will create a member with this id. Returns null if there is no such invitation, or
 * if the person is already a member.
 */
async function findInvited(
  { stores, clock }: Needs,
  accountId: string,
  userId: string,
): Promise<Invitation | null> {
  if ((await stores.users.find(accountId, userId)) !== null) return null;
  return stores.invitations.findByMember(accountId, userId, clock.now());
}

/**
 * Throws unless the principal may grant the roles. Only owners can create, change and remove owners. An API key never
 * counts as an owner.
 */
export async function requireGrantable(
  { stores }: Pick<Needs, 'stores'>,
  { accountId, actor }: Principal,
  roles: readonly MemberRole[],
): Promise<void> {
  if (!roles.includes('owner')) return;
  const user = actor.type === 'user' ? await stores.users.find(accountId, actor.id) : null;
  if (user?.role === 'owner') return;
  throw new AppError('insufficient_scope', 'Only an owner may add, change or remove an owner.');
}

/**
 * True if the creator of a link may still grant its role, or if no creator is recorded. Without this check, a member
 * who was demoted could get the old role back through a saved link.
 */
export async function canStillGrant(
  { stores }: Pick<Needs, 'stores'>,
  {
    accountId,
    createdBy = null,
  }: { readonly accountId: string; readonly createdBy?: string | null },
  role: MemberRole,
): Promise<boolean> {
  if (createdBy === null) return true;
  const maker = await stores.users.find(accountId, createdBy);
  return maker?.role === 'owner' || (maker?.role === 'admin' && role !== 'owner');
}

async function findMember({ stores }: Needs, accountId: string, userId: string): Promise<User> {
  const user = await stores.users.find(accountId, userId);
  if (user === null) throw new AppError('not_found', 'There is no member with this id.');
  return user;
}

/** Throws `limit_reached` unless there are more than `moreThan` owners. */
async function requireOwners({ stores }: Needs, accountId: string, moreThan: 0 | 1): Promise<void> {
  if ((await stores.users.countOwners(accountId)) > moreThan) return;
  throw new AppError('limit_reached', 'An account needs an owner, and this is the last one.');
}

/**
 * Changes the role of a member or of an invited person. For a member, the change takes effect with the next request.
 * Throws `limit_reached` for the last owner.
 */
export async function changeMember(
  needs: Needs,
  principal: Principal,
  { id, role }: { readonly id: string; readonly role: MemberRole },
): Promise<MemberResponse> {
  const { accountId } = principal;
  const { users, invitations } = needs.stores;
  const invited = await findInvited(needs, accountId, id);
  if (invited !== null) {
    await requireGrantable(needs, principal, [invited.role, role]);
    const createdBy = await findMaker(needs, principal);
    if (await invitations.setRole(accountId, invited.id, { role, createdBy }))
      return presentInvited({ ...invited, role }, id);
  }
  const member = await findMember(needs, accountId, id);
  await requireGrantable(needs, principal, [member.role, role]);
  if (member.role === role) return presentMember(member);
  if (member.role === 'owner') await requireOwners(needs, accountId, 1);
  await users.setRole(accountId, id, role);
  // The owners are counted again after the change, because two owners may have demoted each other at the same time.
  await requireOwners(needs, accountId, 0).catch(async (reason) => {
    await users.setRole(accountId, id, member.role);
    throw reason;
  });
  return presentMember({ ...member, role });
}

interface MemberRemoval {
  readonly id: string;
  /**
   * `move` means that the API keys of the member are moved to an owner (the principal, or else the oldest owner). `end`
   * means that the API keys are revoked.
   */
  readonly apiKeys: 'move' | 'end';
}

interface MemberRemoved {
  readonly member: MemberResponse;
  /** The keys that were moved to an owner, as they were before the move. */
  readonly moved: readonly ApiKey[];
}

/**
 * Removes a member, or the invitation of a person who has not accepted yet. Throws `in_use` while alert policies name
 * the member. Ends the person's sessions in the account, revokes or moves the person's API keys, and deletes the
 * person's pipelines, invitations and private views. Deletes a person who is in no other account.
 */
export async function removeMember(
  needs: Needs,
  principal: Principal,
  { id, apiKeys }: MemberRemoval,
): Promise<MemberRemoved> {
  const invited = await findInvited(needs, principal.accountId, id);
  if (invited !== null) {
    await requireGrantable(needs, principal, [invited.role]);
    if (await needs.stores.invitations.remove(principal.accountId, invited.id))
      return { member: presentInvited(invited, id), moved: [] };
  }
  const member = await findMember(needs, principal.accountId, id);
  await requireGrantable(needs, principal, [member.role]);
  return endMembership(needs, principal, { id, apiKeys });
}

/** Like removeMember for a member who has accepted, but without checking permissions. */
export async function endMembership(
  needs: Needs,
  principal: Principal,
  { id, apiKeys: fate }: MemberRemoval,
): Promise<MemberRemoved> {
  const { accountId } = principal;
  const { users, sessions, apiKeys, invitations, savedViews, pipelines } = needs.stores;
  const member = await findMember(needs, accountId, id);
  await refuseNamedInPolicies(needs, accountId, id);
  if (member.role === 'owner') {
    // An owner is demoted first. If two owners remove each other at the same time, the second demotion fails, and one
    // owner stays.
    await changeMember(needs, principal, { id, role: 'admin' });
  }
  // The keys are moved before the member is removed, so that they work without interruption.
  const moved = fate === 'move' ? await moveKeys(needs, principal, member) : [];
  await users.remove(accountId, id);
  await apiKeys.revokeForUser(accountId, id, needs.clock.now());
  await invitations.removeForUser(accountId, id);
  await savedViews.removeForPerson(accountId, id);
  await pipelines.removeForUser(accountId, id);
  await sessions.removeAllIn(accountId, id);
  await removeStrandedPerson(needs, member.personId);
  return { member: presentMember(member), moved };
}

/** Moves the keys to an owner. The keys keep their rights, so a viewer's key does not get the rights of an owner. */
async function moveKeys(
  { stores }: Needs,
  { accountId, actor }: Principal,
  { id, role }: User,
): Promise<readonly ApiKey[]> {
  const owners = (await stores.users.listOwners(accountId)).filter((owner) => owner.id !== id);
  const owner = owners.find((one) => one.id === actor.id) ?? owners[0];
  if (owner === undefined) return [];
  const keys = await stores.apiKeys.listOfMaker(accountId, id);
  for (const key of keys) {
    const scopes = capScopes(key.scopes, role);
    await stores.apiKeys.move(accountId, key.id, { createdBy: owner.id, scopes });
  }
  return keys;
}
