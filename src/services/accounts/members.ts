/** The members of an account: who may grant and revoke which role. An account always has an owner. */

import type { MemberRole } from '../../domain/accounts/roles';
import type { ApiKey } from '../../models/accounts/api-keys';
import type { Person } from '../../models/accounts/people';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { MemberBody } from '../../schemas/account';
import type { MemberResponse, NewMemberResponse } from '../../schemas/responses/account';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { mailLink, newPasswordLink } from './account-emails';
import { findAccount } from './get-account';
import { mailMarks, takeTries } from './login-throttle';
import { refuseNamedInPolicies } from './named-in-policies';
import { withinLimit } from './plan-limits';
import { presentMember } from './present-account';
import { cappedScopes, findMaker, type Principal } from './principal';
import { removeStrandedPerson } from './stranded-people';

type Needs = Pick<Dependencies, 'stores'>;

/** Newest first. */
export async function listMembers(
  { stores }: Needs,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<MemberResponse>> {
  return readList({ accountId, list: 'members' }, request, {
    read: (query) => stores.users.list(accountId, query),
    present: presentMember,
  });
}

/** Throws `not_found`. */
export async function getMember(
  needs: Needs,
  accountId: string,
  userId: string,
): Promise<MemberResponse> {
  return presentMember(await findMember(needs, accountId, userId));
}

/** Only owners can create, change and remove owners; an API key never counts as an owner. */
export async function requireMayGrant(
  { stores }: Needs,
  { accountId, actor }: Principal,
  roles: readonly MemberRole[],
): Promise<void> {
  if (!roles.includes('owner')) return;
  const user = actor.type === 'user' ? await stores.users.find(accountId, actor.id) : null;
  if (user?.role === 'owner') return;
  throw new AppError('insufficient_scope', 'Only an owner may add, change or remove an owner.');
}

/**
 * True if the person who created a link for this role may still grant that role, or is unknown. This keeps a demoted
 * member from regaining the old role through a saved link.
 */
export async function mayStillGrant(
  { stores }: Needs,
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

/** True if the link that was sent to an added member is still valid, and its sender may still grant the role. */
export async function mayStillJoin(
  needs: Pick<Dependencies, 'stores' | 'clock'>,
  { accountId, id, role }: User,
): Promise<boolean> {
  const link = await needs.stores.passwordTokens.findIn(accountId, id);
  if (link === null || link.expiresAtMs <= needs.clock.now()) return false;
  return mayStillGrant(needs, { accountId, createdBy: link.createdBy ?? null }, role);
}

/** Throws `not_found`. */
async function findMember({ stores }: Needs, accountId: string, userId: string): Promise<User> {
  const user = await stores.users.find(accountId, userId);
  if (user === null) throw new AppError('not_found', 'There is no member with this id.');
  return user;
}

/** Throws `limit_reached` unless more than `moreThan` owners have joined. An added owner may never come. */
async function requireOwners({ stores }: Needs, accountId: string, moreThan: 0 | 1): Promise<void> {
  if ((await stores.users.countOwners(accountId)) > moreThan) return;
  throw new AppError('limit_reached', 'An account needs an owner, and this is the last one.');
}

/** Takes effect with the person's next request. */
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
  if (member.role === 'owner' && member.joinedAtMs !== null)
    await requireOwners(needs, accountId, 1);
  await users.setRole(accountId, id, role);
  // Two owners may have demoted each other at the same time.
  await requireOwners(needs, accountId, 0).catch(async (reason) => {
    await users.setRole(accountId, id, member.role);
    throw reason;
  });
  return presentMember({ ...member, role });
}

interface MemberRemoval {
  readonly id: string;
  /** move: the API keys of the member go to an owner (the one who acts, or the oldest). end: they are revoked. */
  readonly apiKeys: 'move' | 'end';
}

interface MemberRemoved {
  readonly member: MemberResponse;
  /** The keys that went to an owner, as they were. */
  readonly moved: readonly ApiKey[];
}

/**
 * Throws `in_use` while alert policies name the person. At once, this ends the person's sessions in the account, revokes or
 * moves the API keys, and deletes the pipelines, invitations and private views that the person created. A person who is in no other
 * account is deleted.
 */
export async function removeMember(
  needs: Needs & Pick<Dependencies, 'clock'>,
  principal: Principal,
  { id, apiKeys }: MemberRemoval,
): Promise<MemberRemoved> {
  const member = await findMember(needs, principal.accountId, id);
  await requireMayGrant(needs, principal, [member.role]);
  return endMembership(needs, principal, { id, apiKeys });
}

/** Like removeMember, for callers who may do so, and for members who leave. */
export async function endMembership(
  needs: Needs & Pick<Dependencies, 'clock'>,
  principal: Principal,
  { id, apiKeys: fate }: MemberRemoval,
): Promise<MemberRemoved> {
  const { accountId } = principal;
  const { users, sessions, passwordTokens, apiKeys, invitations, savedViews, pipelines } =
    needs.stores;
  const member = await findMember(needs, accountId, id);
  await refuseNamedInPolicies(needs, accountId, id);
  if (member.role === 'owner') {
    // Demote first, so that when two owners remove each other, one of them is left.
    await changeMember(needs, principal, { id, role: 'admin' });
  }
  // Before the member is removed, so that the keys work without interruption.
  const moved = fate === 'move' ? await moveKeys(needs, principal, member) : [];
  await users.remove(accountId, id);
  await apiKeys.revokeAllOf(accountId, id, needs.clock.now());
  await invitations.removeAllOf(accountId, id);
  await savedViews.removeAllOf(accountId, id);
  await pipelines.removeAllOf(accountId, id);
  await passwordTokens.removeAllIn(accountId, id);
  await sessions.removeAllIn(accountId, id);
  await removeStrandedPerson(needs, member.personId);
  return { member: presentMember(member), moved };
}

/** The keys keep the rights that they had: a key of a viewer does not get the rights of the owner. */
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
    const scopes = cappedScopes(key.scopes, role);
    await stores.apiKeys.move(accountId, key.id, { createdBy: owner.id, scopes });
  }
  return keys;
}

const LINK_LIFETIME_MS = 7 * 24 * 3_600_000;

/**
 * The person enters the account only after using the link. Throws `key_taken` for the email address of a member. The
 * response is the same whether or not the address belongs to a person of another account.
 */
export async function addMember(
  needs: Dependencies,
  principal: Principal,
  { email, role }: MemberBody,
): Promise<NewMemberResponse> {
  const { accountId } = principal;
  const { stores, newId, clock } = needs;
  await requireMayGrant(needs, principal, [role]);
  if (needs.mailer !== null) await takeTries(needs, mailMarks(accountId, email));
  const createdAtMs = clock.now();
  const draft: Person = { id: newId('person'), email, passwordHash: null, createdAtMs };
  const person = await stores.people.ensure(draft);
  const user: User = {
    id: newId('user'),
    accountId,
    personId: person.id,
    email,
    role,
    createdAtMs,
    joinedAtMs: null,
  };
  await withinLimit(needs, { accountId, kind: 'members' }, () =>
    stores.users.create(accountId, user),
  ).catch(async (reason) => {
    await removeStrandedPerson(needs, person.id);
    throw reason;
  });
  // The person may have left the last other account in the meantime.
  await stores.people.ensure(person);
  const createdBy = await findMaker(needs, principal);
  const url = await newPasswordLink(needs, {
    personId: person.id,
    membership: user,
    lifetimeMs: LINK_LIFETIME_MS,
    createdBy,
  });
  const account = await findAccount(needs, accountId);
  const mailed = await mailLink(needs, {
    to: email,
    subject: 'Your access to Keepwatch',
    sentences: [
      `You are a member of "${account.name}" on Keepwatch now.`,
      'Set your password within 7 days by this link:',
    ],
    link: url,
  });
  return { ...presentMember(user), mailed, setPasswordUrl: mailed ? null : url };
}
