/** Finds the person and the role of an identity. An account never loses its last owner. */
import type { ProvedIdentity } from '../../domain/accounts/provider-claims';
import type { MemberRole } from '../../domain/accounts/roles';
import type { SignInRefusal } from '../../domain/accounts/sign-in-refusals';
import type { Person } from '../../models/accounts/people';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { SignInProvider } from '../../platform/sign-in/provider';
import type { RecordedChange } from '../accounts/audit-events';
import { canStillGrant } from '../accounts/members';
import { writeWithinLimit } from '../accounts/plan-limits';
import { removeStrandedPerson } from '../accounts/stranded-people';
import { notifyOfChange } from '../factors/notify-of-change';
import type { Dependencies } from '../ports/dependencies';
import { findMembership } from '../sessions/open-session';

type Refused = { readonly kind: 'refused'; readonly reason: SignInRefusal };

type Admitted =
  | { readonly kind: 'admitted'; readonly user: User; readonly changes: readonly RecordedChange[] }
  | Refused;

function refused(reason: SignInRefusal): Refused {
  return { kind: 'refused', reason };
}

/**
 * 1. Finds the person by the identity, else by a verified email address. Creates the person if there is none.
 * 2. Finds the membership in the provider's account. Creates it with the mapped role, or the role of an invitation.
 * 3. Otherwise updates its role, if the provider maps roles.
 */
export async function admitIdentity(
  needs: Dependencies,
  provider: SignInProvider,
  identity: ProvedIdentity,
): Promise<Admitted> {
  const accountId = await findAccountId(needs, provider);
  if (accountId === null) return refused('not_invited');
  const known = await findKnownPerson(needs, provider, identity);
  const isBound = provider.settings.accountId !== null;
  if (known !== null) return enterAccount(needs, { person: known, accountId, identity, isBound });
  const found = await needs.stores.people.findByEmail(identity.email);
  if (found === null) return admitNewPerson(needs, provider, { accountId, identity, isBound });
  const place = { accountId, identity, isBound };
  if (!(await mayMatch(needs, found, place))) return refused('connect_first');
  const entered = await enterAccount(needs, { person: found, ...place });
  if (entered.kind === 'refused') return entered;
  const refusal = await connectIdentity(needs, provider, { personId: found.id, identity });
  if (refusal !== null) return refused(refusal);
  notifyOfChange(needs, found.email, 'providerConnected');
  if (!isBound) await confirmUnlessUsed(needs, found);
  return { ...entered, changes: [...entered.changes, describeConnection(provider, entered.user)] };
}

async function findAccountId(
  { stores }: Pick<Dependencies, 'stores'>,
  { settings }: SignInProvider,
): Promise<string | null> {
  const { accountId } = settings;
  const account =
    accountId === null ? await stores.accounts.findFirst() : await stores.accounts.find(accountId);
  return account?.id ?? null;
}

async function findKnownPerson(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  { issuer }: SignInProvider,
  { subject }: ProvedIdentity,
): Promise<Person | null> {
  const known = await stores.identities.find(issuer, subject);
  const person = known === null ? null : await stores.people.find(known.personId);
  if (person !== null) await stores.identities.touch(issuer, subject, clock.now());
  return person;
}

interface Place {
  readonly accountId: string;
  readonly identity: ProvedIdentity;
  /**
   * True means that the provider belongs to this account. Such a provider must not sign in people of other accounts.
   */
  readonly isBound: boolean;
}

/**
 * True if an existing person with the same email address may be the person who signs in. The provider must have
 * verified the address. If the person has never confirmed the address, someone else may have registered it with a
 * password of their own. In that case, the person must have no identity yet, and must be a member of the provider's
 * account or have neither a password nor a passkey.
 */
async function mayMatch(
  { stores }: Pick<Dependencies, 'stores'>,
  { id, email, passwordHash, emailConfirmedAtMs }: Person,
  { accountId, identity, isBound }: Place,
): Promise<boolean> {
  if (!identity.isEmailVerified) return false;
  const memberships = isBound ? await stores.users.listOfPerson(id) : [];
  if (memberships.some((one) => one.accountId !== accountId)) return false;
  if (emailConfirmedAtMs != null) return true;
  const [identities, passkeys, member] = await Promise.all([
    stores.identities.listForPerson(id),
    stores.passkeys.listForPerson(id),
    stores.users.findByEmail(accountId, email),
  ]);
  if (identities.length > 0) return false;
  if (passwordHash === null && passkeys.length === 0) return true;
  return member !== null;
}

/**
 * Confirms the address of a person who had no way to sign in. It does not confirm the address of other people, because
 * someone else may have set the password or added the passkeys, and would then own the address.
 */
async function confirmUnlessUsed(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  { id, passwordHash }: Person,
): Promise<void> {
  if (passwordHash !== null || (await stores.passkeys.listForPerson(id)).length > 0) return;
  await stores.people.confirmEmail(id, clock.now());
}

/** Creates the person with a membership and the identity. If one of the two is refused, deletes the person again. */
async function admitNewPerson(
  needs: Dependencies,
  provider: SignInProvider,
  { accountId, identity, isBound }: Place,
): Promise<Admitted> {
  const { stores, clock, newId } = needs;
  const nowMs = clock.now();
  const { email, isEmailVerified } = identity;
  // An unverified address may belong to someone else.
  if (!isEmailVerified) return refused('email_unverified');
  const draft: Person = {
    id: newId('person'),
    email,
    passwordHash: null,
    createdAtMs: nowMs,
    // A provider of one account must not confirm the address of an operator.
    ...(!isBound && { emailConfirmedAtMs: nowMs }),
  };
  const person = await stores.people.ensure(draft);
  // A parallel request has created a person with this address. The identity proves nothing about that person.
  if (person.id !== draft.id) return refused('flow_lost');
  const entered = await enterAccount(needs, { person, accountId, identity, isBound });
  const refusal =
    entered.kind === 'refused'
      ? entered.reason
      : await connectIdentity(needs, provider, { personId: person.id, identity });
  if (refusal === null) return entered;
  if (entered.kind === 'admitted') await stores.users.remove(accountId, entered.user.id);
  await removeStrandedPerson(needs, person.id);
  return refused(refusal);
}

interface Connecting {
  readonly personId: string;
  readonly identity: ProvedIdentity;
}

/**
 * Adds the identity to the person. Returns null if the person now has the identity. Otherwise, returns the reason for
 * the refusal.
 */
export async function connectIdentity(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  { issuer }: SignInProvider,
  { personId, identity: { subject } }: Connecting,
): Promise<SignInRefusal | null> {
  const nowMs = clock.now();
  const identity = { issuer, subject, personId, createdAtMs: nowMs, lastUsedAtMs: nowMs };
  if (await stores.identities.add(identity)) return null;
  const known = await stores.identities.find(issuer, subject);
  return known?.personId === personId ? null : 'identity_taken';
}

interface Entering extends Place {
  readonly person: Person;
}

async function enterAccount(
  needs: Dependencies,
  { person, accountId, identity, isBound }: Entering,
): Promise<Admitted> {
  const { stores } = needs;
  const memberships = await stores.users.listOfPerson(person.id);
  const member = memberships.find((one) => one.accountId === accountId);
  if (member === undefined) {
    const joined = await joinAccount(needs, { person, accountId, identity, isBound });
    if (joined.kind === 'admitted' || joined.reason !== 'not_invited' || isBound) return joined;
    const elsewhere = await findMembership(needs, person);
    return elsewhere === null ? joined : { kind: 'admitted', user: elsewhere, changes: [] };
  }
  const { role, isRoleMapped } = identity;
  const isUnchanged = !isRoleMapped || role === null || role === member.role;
  if (isUnchanged || !(await changeRole(needs, member, role)))
    return { kind: 'admitted', user: member, changes: [] };
  const change = { before: { role: member.role }, after: { role } };
  const changes = [describeMember(member, 'member.update', change)];
  return { kind: 'admitted', user: { ...member, role }, changes };
}

/** Changes the role of a member. Returns false if the member is the last owner. The member then stays an owner. */
async function changeRole(
  needs: Pick<Dependencies, 'stores' | 'notifyOperator'>,
  { accountId, id, role: before }: User,
  role: MemberRole,
): Promise<boolean> {
  const { users } = needs.stores;
  if (before !== 'owner') {
    await users.setRole(accountId, id, role);
    return true;
  }
  if ((await users.countOwners(accountId)) > 1) {
    await users.setRole(accountId, id, role);
    // If there was another owner, that owner may have been demoted at the same time.
    if ((await users.countOwners(accountId)) > 0) return true;
    await users.setRole(accountId, id, before);
  }
  needs.notifyOperator(
    { accountId, userId: id, role },
    'an identity provider gave the last owner another role: the role was not changed',
  );
  return false;
}

/** Adds the person as a member. Deletes the invitation that was used. Throws only if the database fails. */
async function joinAccount(
  needs: Dependencies,
  { person, accountId, identity }: Entering,
): Promise<Admitted> {
  const { stores, clock, newId } = needs;
  const nowMs = clock.now();
  const invitation = identity.isEmailVerified
    ? await stores.invitations.findByEmail(accountId, identity.email, nowMs)
    : null;
  const isGranted =
    invitation !== null && (await canStillGrant(needs, invitation, invitation.role));
  const role = identity.isRoleMapped || !isGranted ? identity.role : invitation.role;
  if (role === null) return refused('not_invited');
  const { id: personId, email } = person;
  const id = invitation?.memberId ?? newId('user');
  const user: User = {
    id,
    accountId,
    personId,
    email,
    role,
    createdAtMs: nowMs,
    joinedAtMs: nowMs,
  };
  // The invitation is removed first, because it already counts towards the limit of members.
  if (invitation !== null) await stores.invitations.remove(accountId, invitation.id);
  try {
    await writeWithinLimit(needs, { accountId, kind: 'members' }, () =>
      stores.users.create(accountId, user),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'limit_reached')
      return refused('limit_reached');
    throw error;
  }
  await stores.people.ensure(person);
  const change = { before: null, after: { email, role } };
  return { kind: 'admitted', user, changes: [describeMember(user, 'member.create', change)] };
}

function describeMember(
  { id }: User,
  action: string,
  change: Pick<RecordedChange, 'before' | 'after'>,
): RecordedChange {
  return { action, resourceType: 'member', resourceId: id, ...change };
}

function describeConnection({ settings }: SignInProvider, { id }: User): RecordedChange {
  const after = { provider: settings.id };
  return { action: 'identity.connect', resourceType: 'user', resourceId: id, before: null, after };
}
