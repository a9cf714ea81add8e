/** Creates people with roles and sessions, without invitations and logins. */
import { randomBytes } from 'node:crypto';
import type { MemberRole } from '../../src/domain/accounts/roles';
import type { User } from '../../src/models/accounts/users';
import type { Dependencies } from '../../src/services/ports/dependencies';
import { startSession } from '../../src/services/sessions/sessions';

export interface TestPerson {
  readonly id: string;
  readonly email: string;
  /** The value of the Cookie header. */
  readonly cookie: string;
}

export const PASSWORD = 'a long password for the tests';
let passwordHash: string | undefined;

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'newId' | 'randomBytes' | 'passwords'>;

/** Creates a member of the account with a session. The password is PASSWORD. */
export async function personOf(
  { services }: { readonly services: Needs },
  accountId: string,
  role: MemberRole,
): Promise<TestPerson> {
  passwordHash ??= await services.passwords.hash(PASSWORD);
  const id = services.newId('user');
  const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
  const createdAtMs = services.clock.now();
  const person = { id: services.newId('person'), email, passwordHash, createdAtMs };
  await services.stores.people.ensure(person);
  const user: User = {
    id,
    accountId,
    personId: person.id,
    email,
    role,
    createdAtMs,
    joinedAtMs: createdAtMs,
  };
  await services.stores.users.create(accountId, user);
  const sessionId = await startSession(services, user, {
    address: '127.0.0.1',
    userAgent: null,
  });
  return { id, email, cookie: `keepwatch_session=${sessionId}` };
}
