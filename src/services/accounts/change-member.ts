/** Changes the role of a person, and removes people. An account always keeps an owner. */

import type { MemberRole } from '../../domain/accounts/roles';
import type { MemberResponse } from '../../schemas/responses/account';
import type { Dependencies } from '../ports/dependencies';
import { findMember, requireMayGrant, requireOwners } from './member-rules';
import { refuseNamedInPolicies } from './named-in-policies';
import { presentMember } from './present-account';
import type { Principal } from './principal';

type Needs = Pick<Dependencies, 'stores'>;

/** Holds for the very next request of the person. */
export async function changeMember(
  needs: Needs,
  principal: Principal,
  { id, role }: { readonly id: string; readonly role: MemberRole },
): Promise<MemberResponse> {
  const { accountId } = principal;
  const { users } = needs.stores;
  const member = await findMember(needs, accountId, id);
  await requireMayGrant(needs, principal, [member.role, role]);
  if (member.role === role) return presentMember(member);
  if (member.role === 'owner') await requireOwners(needs, accountId, 1);
  await users.setRole(accountId, id, role);
  // Two owners may have taken the role from each other at the same time.
  await requireOwners(needs, accountId, 0).catch(async (reason) => {
    await users.setRole(accountId, id, member.role);
    throw reason;
  });
  return presentMember({ ...member, role });
}

/** Throws `in_use` while alert policies name them. Sessions of the person, the keys and invitations that they made, and the views that only they see end at once. */
export async function removeMember(
  needs: Needs & Pick<Dependencies, 'clock'>,
  principal: Principal,
  id: string,
): Promise<void> {
  const { accountId } = principal;
  const { users, sessions, passwordTokens, apiKeys, invitations, savedViews } = needs.stores;
  const member = await findMember(needs, accountId, id);
  await requireMayGrant(needs, principal, [member.role]);
  await refuseNamedInPolicies(needs, accountId, id);
  if (member.role === 'owner') {
    // As a member of less first, so that of two owners who remove each other one is left.
    await changeMember(needs, principal, { id, role: 'admin' });
  }
  await users.remove(accountId, id);
  await apiKeys.revokeAllOf(accountId, id, needs.clock.now());
  await invitations.removeAllOf(accountId, id);
  await savedViews.removeAllOf(accountId, id);
  await passwordTokens.removeAllOf(accountId, id);
  await sessions.removeAllOf(accountId, id);
}
