/** Finds or creates the person with an email address. Used by links that were sent to this address. */

import type { MemberRole } from '../../domain/accounts/roles';
import type { Person } from '../../models/accounts/people';
import type { SessionProofs } from '../../models/accounts/sessions';
import { AppError } from '../../platform/errors';
import { hashToken } from '../accounts/api-key-format';
import { listLoginCounters, runThrottled } from '../accounts/login-throttle';
import { requireUsablePassword } from '../factors/sign-in-ways';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import { authenticateSession } from './authenticate';
import { verifyPassword } from './open-session';

type Needs = Pick<Dependencies, 'stores'>;

interface Proof {
  readonly email: string;
  /** The role that the person gets through the link. */
  readonly role: MemberRole;
  readonly password: string | undefined;
  readonly address: string;
  /** The session id of the request. null if the request has no session. */
  readonly sessionId: string | null;
}

interface ProvedPerson {
  readonly person: Person;
  /** The proofs of the session that has proved the person. Empty if a password has proved the person. */
  readonly proofs: SessionProofs;
}

/**
 * Returns the person with this email address. A new person gets the password. A person who already has a password must
 * send it or be signed in, because the link of an account must not change how a person signs in. Throws
 * `validation_failed` for a missing password, and `passwords_off` if the policy allows no passwords for this role. Also
 * throws `invalid_token` and `rate_limited`.
 */
export async function provePerson(
  needs: Dependencies,
  { email, role, password, address, sessionId }: Proof,
): Promise<ProvedPerson> {
  const found = await needs.stores.people.findByEmail(email);
  const proofs = found === null ? null : await readProofs(needs, found, sessionId);
  if (found !== null && proofs !== null) return { person: found, proofs };
  requireUsablePassword(needs, role);
  if (found?.passwordHash === null && (await hasOtherWay(needs, found))) throw mustSignIn();
  if (password === undefined) throw missingPassword();
  if (found === null || found.passwordHash === null)
    return { person: await createPerson(needs, { email, password, found }), proofs: {} };
  await runThrottled(needs, listLoginCounters(email, address), async () => {
    if (!(await verifyPassword(needs, found, password))) throw wrongPassword();
  });
  return { person: found, proofs: {} };
}

/**
 * Returns the proofs of the person's session. null if there is no session, or if the session belongs to someone else.
 */
async function readProofs(
  needs: Dependencies,
  { id }: Person,
  sessionId: string | null,
): Promise<SessionProofs | null> {
  if (sessionId === null) return null;
  const principal = await authenticateSession(needs, hashToken(sessionId)).catch(() => null);
  if (principal?.session === undefined || principal.personId !== id) return null;
  const { hash: _hash, ...proofs } = principal.session;
  // If the provider of one account opened the session, the session proves nothing in other accounts.
  if (proofs.boundTo !== undefined) return null;
  // A link is not a new proof. A session without a stored time therefore gets the oldest time.
  return { ...proofs, provedAtMs: proofs.provedAtMs ?? 0 };
}

/**
 * True if the person already has a membership, a provider or a passkey. A link must not add a way to sign in to such a
 * person, because the sender of the link could use it as well.
 */
async function hasOtherWay({ stores }: Needs, { id }: Person): Promise<boolean> {
  const [memberships, identities, passkeys] = await Promise.all([
    stores.users.listOfPerson(id),
    stores.identities.listForPerson(id),
    stores.passkeys.listForPerson(id),
  ]);
  return memberships.length > 0 || identities.length > 0 || passkeys.length > 0;
}

interface NewPerson {
  readonly email: string;
  readonly password: string;
  /** The existing person with this email address, who has no password yet. null if there is none. */
  readonly found: Person | null;
}

async function createPerson(
  { stores, newId, clock, passwords }: Dependencies,
  { email, password, found }: NewPerson,
): Promise<Person> {
  const passwordHash = await passwords.hash(password);
  const id = newId('person');
  const createdAtMs = clock.now();
  const person = await stores.people.ensure({ id, email, passwordHash, createdAtMs });
  if (person.id === id) return person;
  // A parallel request has created the person or set the password.
  if (person.passwordHash !== null) throw wrongPassword();
  if (person.id !== found?.id) throw mustSignIn();
  await stores.people.setPassword(person.id, passwordHash);
  return { ...person, passwordHash };
}

function mustSignIn(): AppError {
  return new AppError('invalid_token', 'Sign in with this email address, then use the link again.');
}

function missingPassword(): AppError {
  refuseProblems([{ path: 'password', code: 'required', message: 'is required' }]);
  throw new Error('a missing password was not refused');
}

function wrongPassword(): AppError {
  return new AppError(
    'invalid_token',
    'This email address already has a password on this service. Enter that password, or reset it first.',
  );
}
