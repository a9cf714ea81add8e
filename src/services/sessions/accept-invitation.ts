/** Turns the holder of an invitation link into a member. */

import type { Person } from '../../models/accounts/people';
import type { SessionOrigin } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { LinkBody } from '../../schemas/account';
import { hashToken } from '../accounts/api-key-format';
import { asThrottledTry, loginMarks, tokenMarks } from '../accounts/login-throttle';
import { mayStillGrant } from '../accounts/members';
import { readFreeCount, requireWithinLimit } from '../accounts/plan-limits';
import { requireUsablePassword } from '../factors/sign-in-ways';
import type { Dependencies } from '../ports/dependencies';
import type { SignInOutcome } from './open-session';
import { openSessionFor, verifyPassword } from './open-session';

interface Accepting {
  readonly body: LinkBody;
  readonly origin: SessionOrigin;
}

/** Exactly one of several parallel callers becomes the member; the invitation can be used only once. */
export async function acceptInvitation(
  needs: Dependencies,
  { body, origin }: Accepting,
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
    requireUsablePassword(needs, role);
    // The invitation already counts towards the limit of members, so the member is not counted again.
    requireWithinLimit(await readFreeCount(needs, { accountId, kind: 'members' }), 'members', 0);
    const person = await provePerson(needs, {
      email,
      password: body.password,
      address: origin.address,
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
    return openSessionFor(needs, user, origin);
  });
}

interface Proof {
  readonly email: string;
  readonly password: string;
  readonly address: string;
}

/**
 * The person with this email address. A new person gets the password; a person who has a password must send it. Throws
 * `invalid_token` and `rate_limited`.
 */
export async function provePerson(
  needs: Dependencies,
  { email, password, address }: Proof,
): Promise<Person> {
  const { stores, newId, clock, passwords } = needs;
  const found = await stores.people.findByEmail(email);
  if (found !== null) await refuseForeignProofs(needs, found);
  if (found === null || found.passwordHash === null) {
    const passwordHash = await passwords.hash(password);
    const id = newId('person');
    const person = await stores.people.ensure({
      id,
      email,
      passwordHash,
      createdAtMs: clock.now(),
    });
    if (person.passwordHash !== null && person.id !== id) throw wrongPassword();
    if (person.passwordHash === null) await stores.people.setPassword(person.id, passwordHash);
    return { ...person, passwordHash };
  }
  await asThrottledTry(needs, loginMarks(email, address), async () => {
    if (!(await verifyPassword(needs, found, password))) throw wrongPassword();
  });
  return found;
}

function wrongPassword(): AppError {
  return new AppError(
    'invalid_token',
    'This email address already has a password on this service. Enter that password, or reset it first.',
  );
}

/**
 * Without a password, an identity or a passkey is what proves the person. The link of an invitation is not enough: its
 * sender may have it, too. Throws `invalid_token`.
 */
async function refuseForeignProofs(
  { stores }: Pick<Dependencies, 'stores'>,
  { id, passwordHash }: Person,
): Promise<void> {
  if (passwordHash !== null) return;
  const [identities, passkeys] = await Promise.all([
    stores.identities.listOf(id),
    stores.passkeys.listOf(id),
  ]);
  if (identities.length === 0 && passkeys.length === 0) return;
  throw new AppError(
    'invalid_token',
    'This email address belongs to someone who signs in with a provider or a passkey. Sign in that way first.',
  );
}
