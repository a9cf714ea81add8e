/** Finds or creates the person behind an email address, for links that were sent to the address. */
import type { Person } from '../../models/accounts/people';
import { AppError } from '../../platform/errors';
import { asThrottledTry, loginMarks } from '../accounts/login-throttle';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import { authenticateSession } from './authenticate';
import { verifyPassword } from './open-session';

type Needs = Pick<Dependencies, 'stores'>;

interface Proof {
  readonly email: string;
  readonly password: string | undefined;
  readonly address: string;
  /** The session id of the request. null: it has none. */
  readonly sessionId: string | null;
}

/**
 * The person with this email address. A new person gets the password. A person who has one must send it, or be signed in:
 * a link from an account does not change how a person signs in. Throws `validation_failed` for a missing password,
 * `invalid_token` and `rate_limited`.
 */
export async function provePerson(
  needs: Dependencies,
  { email, password, address, sessionId }: Proof,
): Promise<Person> {
  const { people } = needs.stores;
  const found = await people.findByEmail(email);
  if (found !== null && (await isSignedIn(needs, found, sessionId))) return found;
  if (found?.passwordHash === null && (await hasJoined(needs, found)))
    throw new AppError(
      'invalid_token',
      'Sign in with this email address, then use the link again.',
    );
  if (password === undefined) throw missingPassword();
  if (found === null || found.passwordHash === null)
    return createPerson(needs, { email, password });
  await asThrottledTry(needs, loginMarks(email, address), async () => {
    if (!(await verifyPassword(needs, found, password))) throw wrongPassword();
  });
  return found;
}

async function isSignedIn(
  needs: Dependencies,
  { id }: Person,
  sessionId: string | null,
): Promise<boolean> {
  if (sessionId === null) return false;
  const principal = await authenticateSession(needs, sessionId).catch(() => null);
  return principal?.personId === id;
}

/** Such a person has another way to sign in, which a link must not extend. */
async function hasJoined({ stores }: Needs, { id }: Person): Promise<boolean> {
  return (await stores.users.listOfPerson(id)).some(({ joinedAtMs }) => joinedAtMs !== null);
}

async function createPerson(
  { stores, newId, clock, passwords }: Dependencies,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Person> {
  const passwordHash = await passwords.hash(password);
  const id = newId('person');
  const createdAtMs = clock.now();
  const person = await stores.people.ensure({ id, email, passwordHash, createdAtMs });
  // Created by a parallel request.
  if (person.passwordHash !== null && person.id !== id) throw wrongPassword();
  if (person.passwordHash === null) await stores.people.setPassword(person.id, passwordHash);
  return { ...person, passwordHash };
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
