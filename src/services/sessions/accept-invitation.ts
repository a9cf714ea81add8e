/** Makes a person who opens an invitation link a member. */

import type { Invitation, InvitationStore } from '../../models/accounts/invitations';
import type { Person } from '../../models/accounts/people';
import type { SessionOrigin, SessionProofs } from '../../models/accounts/sessions';
import type { User, UserStore } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { AcceptBody } from '../../schemas/account';
import { hashToken } from '../accounts/api-key-format';
import { listTokenCounters, runThrottled } from '../accounts/login-throttle';
import { canStillGrant } from '../accounts/members';
import { readFreeCount, requireWithinLimit, runExclusively } from '../accounts/plan-limits';
import { removeStrandedPerson } from '../accounts/stranded-people';
import { runOrCompensate } from '../lists/run-or-compensate';
import type { Dependencies } from '../ports/dependencies';
import { openSessionFor, type SignInOutcome } from './open-session';
import { provePerson } from './prove-person';

interface Joining {
  readonly body: AcceptBody;
  readonly address: string;
  /** The session id of the request. null if the request has no session. */
  readonly sessionId: string | null;
}

interface Accepting extends Omit<Joining, 'address'> {
  readonly origin: SessionOrigin;
}

/** Accepts the invitation. It can be used only once, so only one of several parallel callers becomes the member. */
export async function acceptInvitation(
  needs: Dependencies,
  { origin, ...joining }: Accepting,
): Promise<SignInOutcome> {
  const { address } = origin;
  return runThrottled(needs, listTokenCounters(address), async () => {
    const { user, proofs } = await joinByInvitation(needs, { ...joining, address });
    return openSessionFor(needs, user, origin, proofs);
  });
}

/** Like acceptInvitation, but without a limit on wrong tokens. The caller must limit them. */
export async function joinByInvitation(
  needs: Dependencies,
  { body, address, sessionId }: Joining,
): Promise<{ readonly user: User; readonly proofs: SessionProofs }> {
  const { stores, clock, newId } = needs;
  const invitation = await stores.invitations.findByHash(hashToken(body.token));
  if (invitation === null) throw unknownInvitation();
  if (invitation.expiresAtMs <= clock.now())
    throw new AppError('expired_token', 'This invitation has expired. Ask for a new one.');
  const { accountId, email, role, memberId } = invitation;
  if (!(await canStillGrant(needs, invitation, role)))
    throw new AppError(
      'invalid_token',
      'The person who invited you may no longer give this role. Ask an owner or admin for a new invitation.',
    );
  // The member is not counted again, because the invitation already counts towards the limit of
  // members.
  const free = await readFreeCount(needs, { accountId, kind: 'members' });
  if (free === null) throw unknownInvitation();
  requireWithinLimit(free, 'members', 0);
  const { person, proofs } = await provePerson(needs, {
    email,
    role,
    password: body.password,
    address,
    sessionId,
  });
  const nowMs = clock.now();
  const user: User = {
    id: memberId ?? newId('user'),
    accountId,
    personId: person.id,
    email,
    role,
    createdAtMs: nowMs,
    joinedAtMs: nowMs,
  };
  await redeemInvitation(needs, invitation, user);
  // The person is stored again. If they left their last other account in the meantime, they were deleted.
  await stores.people.ensure(person);
  if (invitation.isMailed === true) await confirmNewPerson(needs, person);
  return { user, proofs };
}

/**
 * Replaces the invitation by the member. First removes the invitation, which fails if the invitation was withdrawn.
 * Otherwise, people could become members through a withdrawn invitation. A lock keeps the number of members and
 * invitations within the plan.
 */
async function redeemInvitation(
  needs: Dependencies,
  invitation: Invitation,
  user: User,
): Promise<void> {
  const { invitations, users } = needs.stores;
  const { id, accountId, role } = invitation;
  await runExclusively(needs, { accountId, kind: 'members' }, async () => {
    if (!(await invitations.remove(accountId, id, role))) {
      // The invitation was withdrawn, replaced, or given another role in the meantime.
      await removeStrandedPerson(needs, user.personId);
      throw unknownInvitation();
    }
    await runOrCompensate(
      needs,
      () => users.create(accountId, user),
      () => restoreInvitation(needs, invitation),
    );
  });
}

/** Stores the invitation again. Does nothing if the person has become a member or has another invitation. */
export async function restoreInvitation(
  {
    stores: { invitations, users },
    clock,
  }: Pick<Dependencies, 'clock'> & {
    readonly stores: {
      readonly invitations: Pick<InvitationStore, 'create' | 'findByEmail'>;
      readonly users: Pick<UserStore, 'findByEmail'>;
    };
  },
  invitation: Invitation,
): Promise<void> {
  const { accountId, email } = invitation;
  if ((await users.findByEmail(accountId, email)) !== null) return;
  if ((await invitations.findByEmail(accountId, email, clock.now())) !== null) return;
  await invitations.create(accountId, invitation);
}

function unknownInvitation(): AppError {
  return new AppError(
    'invalid_token',
    'This invitation is not valid or has been accepted already. Sign in, or ask for a new one.',
  );
}

/**
 * Confirms the email address of a new person. A person with other memberships must reset the password to confirm it.
 */
async function confirmNewPerson(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  { id }: Person,
): Promise<void> {
  const memberships = await stores.users.listOfPerson(id);
  if (memberships.length === 1) await stores.people.confirmEmail(id, clock.now());
}
