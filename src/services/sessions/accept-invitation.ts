/** Turns the holder of an invitation link into a member. */

import type { SessionOrigin } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { AcceptBody } from '../../schemas/account';
import { hashToken } from '../accounts/api-key-format';
import { asThrottledTry, tokenMarks } from '../accounts/login-throttle';
import { mayStillGrant } from '../accounts/members';
import { readFreeCount, requireWithinLimit } from '../accounts/plan-limits';
import type { Dependencies } from '../ports/dependencies';
import { openSessionFor, type SignInOutcome } from './open-session';
import { provePerson } from './prove-person';

interface Accepting {
  readonly body: AcceptBody;
  readonly origin: SessionOrigin;
  /** The session id of the request. null: it has none. */
  readonly sessionId: string | null;
}

/** Exactly one of several parallel callers becomes the member; the invitation can be used only once. */
export async function acceptInvitation(
  needs: Dependencies,
  { body, origin, sessionId }: Accepting,
): Promise<SignInOutcome> {
  return asThrottledTry(needs, tokenMarks(origin.address), async () => {
    const { stores, clock, newId } = needs;
    const invitation = await stores.invitations.findByHash(hashToken(body.token));
    if (invitation === null)
      throw new AppError(
        'invalid_token',
        'This invitation is not valid or has been accepted already. Sign in, or ask for a new one.',
      );
    if (invitation.expiresAtMs <= clock.now())
      throw new AppError('expired_token', 'This invitation has expired. Ask for a new one.');
    const { id, accountId, email, role } = invitation;
    if (!(await mayStillGrant(needs, invitation, role)))
      throw new AppError(
        'invalid_token',
        'The person who invited you may no longer give this role. Ask an owner or admin for a new invitation.',
      );
    // The invitation already counts towards the limit of members, so the member is not counted again.
    requireWithinLimit(await readFreeCount(needs, { accountId, kind: 'members' }), 'members', 0);
    const { person, proofs } = await provePerson(needs, {
      email,
      role,
      password: body.password,
      address: origin.address,
      sessionId,
    });
    const nowMs = clock.now();
    const user: User = {
      id: newId('user'),
      accountId,
      personId: person.id,
      email,
      role,
      createdAtMs: nowMs,
      joinedAtMs: nowMs,
    };
    await stores.users.create(accountId, user);
    // The person may have left the last other account in the meantime.
    await stores.people.ensure(person);
    await stores.invitations.remove(accountId, id);
    return openSessionFor(needs, user, origin, proofs);
  });
}
