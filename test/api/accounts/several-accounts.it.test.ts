/**
 * Tests people who belong to several accounts, and the registration of new accounts, on the real application and
 * database.
 *
 * Covers:
 * - services/sessions/sessions
 * - services/sessions/memberships
 * - services/sessions/prove-person
 * - services/sessions/registrations
 */
import request from 'supertest';
import { AppError } from '../../../src/platform/errors';
import { hashToken } from '../../../src/services/accounts/api-key-format';
import { waitUntil } from '../../support/wait-until';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { openTestService, PUBLIC_URL, type TestAccount, type TestService } from '../test-service';

let service: TestService;
let home: TestAccount;
let other: TestAccount;
let person: TestPerson;
let admin: TestPerson;
const letters: { to: string; text: string }[] = [];

beforeAll(async () => {
  service = await openTestService({
    registration: 'open',
    mailer: {
      sendMail: async (letter) => {
        letters.push(letter);
      },
    },
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.nowMs += 3_600_000;
  home = await service.newAccount();
  other = await service.newAccount();
  person = await personOf(service, home.id, 'owner');
  admin = await personOf(service, other.id, 'owner');
});

type Verb = 'get' | 'post' | 'put' | 'delete';

function as(who: Pick<TestPerson, 'cookie'>, verb: Verb, path: string, body?: object) {
  return request(service.app)
    [verb](path)
    .set({ Cookie: who.cookie, Origin: PUBLIC_URL })
    .send(body);
}

const post = (path: string, body: object) => request(service.app).post(path).send(body);

function cookieOf(answer: request.Response): string {
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return cookie;
}

function tokenTo(email: string): string {
  const text = letters.findLast(({ to }) => to === email)?.text ?? '';
  return text.split('#token=')[1]?.split(/\s/)[0] ?? '';
}

/** Invites the person to the other account, and returns the session there. */
async function joinOther(): Promise<Pick<TestPerson, 'cookie'>> {
  await as(admin, 'post', '/v1/invitations', { email: person.email, role: 'viewer' });
  const accepting = { token: tokenTo(person.email) };
  const accepted = await as(person, 'post', '/v1/invitations/accept', accepting);
  expect(accepted.status).toBe(201);
  return { cookie: cookieOf(accepted) };
}

describe('a person in several accounts', () => {
  it('a person who is signed in with the invited address accepts an invitation without a password', async () => {
    const there = await joinOther();
    expect((await as(there, 'get', '/v1/session')).body).toMatchObject({
      account: { id: other.id },
      user: { role: 'viewer' },
      scopes: ['read'],
    });
    // A session of a person with another email address is not enough to accept the invitation.
    const { email } = await personOf(service, (await service.newAccount()).id, 'owner');
    await as(admin, 'post', '/v1/invitations', { email, role: 'viewer' });
    const stolen = await as(person, 'post', '/v1/invitations/accept', { token: tokenTo(email) });
    expect(stolen.body).toMatchObject({ status: 400, errors: [{ path: 'password' }] });
  });

  it('a person who switches accounts gets a new session id, and the next sign-in opens the chosen account', async () => {
    await joinOther();
    const { body } = await as(person, 'get', '/v1/session');
    expect(body.accounts).toMatchObject([
      { id: home.id, role: 'owner', suspended: false },
      { id: other.id, role: 'viewer', suspended: false },
    ]);
    const switched = await as(person, 'put', '/v1/session/account', { accountId: other.id });
    expect(switched.body).toMatchObject({ account: { id: other.id }, user: { role: 'viewer' } });
    expect((await as(person, 'get', '/v1/session')).body.code).toBe('invalid_token');
    const there = { cookie: cookieOf(switched) };
    const writing = await as(there, 'post', '/v1/monitors', { name: 'x', url: 'http://a.example' });
    expect(writing.body.code).toBe('insufficient_scope');
    const login = { email: person.email, password: PASSWORD };
    expect((await post('/v1/session', login)).body).toMatchObject({ account: { id: other.id } });
  });

  it('a person can switch only to accounts that the person has joined', async () => {
    const added = await as(admin, 'post', '/v1/members', { email: person.email, role: 'editor' });
    expect(added.status).toBe(201);
    expect((await as(person, 'get', '/v1/session')).body.accounts).toHaveLength(1);
    for (const accountId of [other.id, service.services.newId('account'), 'x']) {
      const refused = await as(person, 'put', '/v1/session/account', { accountId });
      expect(refused.body).toMatchObject({ status: 404, code: 'not_found' });
      expect(refused.body.detail).toBe('You are not a member of such an account.');
    }
  });

  it('a person sees and ends sessions of all accounts, and a new password ends all of them', async () => {
    const there = await joinOther();
    const { data } = (await as(person, 'get', '/v1/sessions')).body;
    expect(data).toHaveLength(2);
    const changing = { currentPassword: PASSWORD, newPassword: 'another long password' };
    expect((await as(person, 'post', '/v1/password', changing)).status).toBe(204);
    for (const old of [person, there])
      expect((await as(old, 'get', '/v1/session')).body.code).toBe('invalid_token');
  });

  it('a person who leaves their last account is deleted', async () => {
    const there = await joinOther();
    const left = await as(there, 'delete', '/v1/session/account');
    expect(left.status).toBe(204);
    const back = { cookie: cookieOf(left) };
    expect((await as(back, 'get', '/v1/session')).body).toMatchObject({ account: { id: home.id } });
    const { people } = service.services.stores;
    // The last owner cannot leave an account.
    const refused = await as(back, 'delete', '/v1/session/account');
    expect(refused.body).toMatchObject({ status: 403, code: 'limit_reached' });
    expect((await as(back, 'get', '/v1/session')).status).toBe(200);
    await personOf(service, home.id, 'owner');
    expect((await as(back, 'delete', '/v1/session/account')).status).toBe(204);
    expect((await as(back, 'get', '/v1/session')).body.code).toBe('invalid_token');
    expect(await people.findByEmail(person.email)).toBeNull();
  });

  it('the response to an inviter is the same for a person of another account and for an unknown address', async () => {
    const unknown = `nobody-${service.services.newId('request')}@example.com`;
    for (const path of ['/v1/invitations', '/v1/members']) {
      const [known, nobody] = [
        await as(admin, 'post', path, { email: person.email, role: 'viewer' }),
        await as(admin, 'post', path, { email: unknown, role: 'viewer' }),
      ];
      const shapeOf = ({ status, body }: request.Response) => ({
        status,
        body: { ...body, id: 'x', email: 'x', createdAt: 'x', expiresAt: 'x' },
      });
      expect(shapeOf(known)).toEqual(shapeOf(nobody));
    }
  });
});

let invitedCount = 0;

function newEmail(): string {
  invitedCount += 1;
  return `invited-${invitedCount}@example.com`;
}

describe('an invitation', () => {
  it('an invitation cannot be withdrawn after its acceptance has begun, even before the member exists', async () => {
    const email = newEmail();
    const invited = await as(admin, 'post', '/v1/invitations', { email, role: 'viewer' });
    const { users } = service.services.stores;
    const { create } = users;
    let atCrash: unknown;
    Object.assign(users, {
      create: async (...given: Parameters<typeof create>) => {
        Object.assign(users, { create });
        const { status } = await as(admin, 'delete', `/v1/invitations/${invited.body.id}`);
        atCrash = [status, await users.findByEmail(other.id, email)];
        return create(...given);
      },
    });
    const accepting = { token: tokenTo(email), password: PASSWORD };
    expect((await post('/v1/invitations/accept', accepting)).status).toBe(201);
    expect(atCrash).toEqual([404, null]);
  });

  it('an invitation can be accepted again after the database has failed to store the new member', async () => {
    const email = newEmail();
    await as(admin, 'post', '/v1/invitations', { email, role: 'viewer' });
    const { users } = service.services.stores;
    const { create } = users;
    Object.assign(users, {
      create: async () => {
        Object.assign(users, { create });
        throw new AppError('unavailable', 'The database did not respond.');
      },
    });
    const accepting = { token: tokenTo(email), password: PASSWORD };
    expect((await post('/v1/invitations/accept', accepting)).status).toBe(503);
    expect((await post('/v1/invitations/accept', accepting)).status).toBe(201);
  });

  it('an invitation to a deleted account creates neither a member nor a person', async () => {
    const email = newEmail();
    await as(admin, 'post', '/v1/invitations', { email, role: 'viewer' });
    const { accounts, users, people } = service.services.stores;
    await accounts.markDeleted(other.id, service.clock.nowMs);
    const accepting = { token: tokenTo(email), password: PASSWORD };
    const refused = await post('/v1/invitations/accept', accepting);
    expect(refused.body).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(await users.findByEmail(other.id, email)).toBeNull();
    expect(await people.findByEmail(email)).toBeNull();
  });

  it('if several invitations are created for one address at the same time, one stays open', async () => {
    const email = newEmail();
    const { stores, newId, clock } = service.services;
    const times = { createdAtMs: clock.now(), expiresAtMs: clock.now() + 60_000 };
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((hash) => {
        const open = { id: newId('invitation'), accountId: other.id, email, hash, ...times };
        return stores.invitations.create(other.id, { ...open, role: 'viewer' });
      }),
    );
    expect((await as(admin, 'get', '/v1/invitations')).body.data).toHaveLength(1);
  });
});

describe('registration', () => {
  const register = (email: string) =>
    post('/v1/registrations', { email, accountName: 'Their shop' });

  it('registration with a confirmed address creates one account, even for parallel requests', async () => {
    const email = 'new@example.com';
    const asked = await register(email);
    expect([asked.status, asked.text]).toEqual([202, '']);
    await waitUntil('the email is sent', () => tokenTo(email) !== '');
    const { people } = service.services.stores;
    expect(await people.findByEmail(email)).toBeNull();
    const body = { token: tokenTo(email), password: PASSWORD };
    const confirmed = await Promise.all(
      [1, 2, 3].map(() => post('/v1/registrations/confirm', body)),
    );
    const [won] = confirmed.filter(({ status }) => status === 201);
    expect(confirmed.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(won?.body).toMatchObject({
      account: { name: 'Their shop' },
      user: { email, role: 'owner' },
    });
    expect(await people.findByEmail(email)).toMatchObject({
      emailConfirmedAtMs: service.clock.nowMs,
    });
  });

  it('registration with a known address gives the same response, and keeps the old password', async () => {
    const asked = await register(person.email);
    expect([asked.status, asked.text]).toEqual([202, '']);
    await waitUntil('the email is sent', () => tokenTo(person.email) !== '');
    const token = tokenTo(person.email);
    const wrong = { token, password: 'not the own password' };
    expect((await post('/v1/registrations/confirm', wrong)).body.code).toBe('invalid_token');
    const confirmed = await as(person, 'post', '/v1/registrations/confirm', { token });
    expect(confirmed.status).toBe(201);
    const session = { cookie: cookieOf(confirmed) };
    expect((await as(session, 'get', '/v1/session')).body.accounts).toHaveLength(2);
  });

  it('registration confirms the address of a known person only if the request contains the password', async () => {
    const { people } = service.services.stores;
    for (const [body, confirmedAtMs] of [
      [{}, undefined],
      [{ password: PASSWORD }, service.clock.nowMs],
    ] as const) {
      const before = tokenTo(person.email);
      await register(person.email);
      await waitUntil('the email is sent', () => tokenTo(person.email) !== before);
      const confirming = { token: tokenTo(person.email), ...body };
      const cookie = confirmedAtMs === undefined ? person.cookie : '';
      const confirmed = await as({ cookie }, 'post', '/v1/registrations/confirm', confirming);
      expect(confirmed.status).toBe(201);
      const found = await people.findByEmail(person.email);
      expect(found?.emailConfirmedAtMs ?? undefined).toBe(confirmedAtMs);
    }
  });

  it('registration is refused in mode off, and needs a link from an operator in mode invite', async () => {
    const asking = { email: 'closed@example.com', accountName: 'x' };
    for (const mode of ['off', 'invite'] as const) {
      const app = service.appWith({ registration: mode });
      const refused = await request(app).post('/v1/registrations').send(asking);
      expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
      const setup = await request(app).get('/v1/setup');
      expect(setup.body).toMatchObject({ registration: mode });
    }
    const { stores, clock } = service.services;
    const createdAtMs = clock.now();
    await stores.registrations.create({
      hash: hashToken('link'),
      email: 'invited@example.com',
      accountName: null,
      createdAtMs,
      expiresAtMs: createdAtMs + 1_000,
    });
    const inviting = service.appWith({ registration: 'invite' });
    const confirm = (body: object) =>
      request(inviting)
        .post('/v1/registrations/confirm')
        .send({ token: 'link', password: PASSWORD, ...body });
    const unnamed = await confirm({});
    expect(unnamed.body).toMatchObject({ status: 400, errors: [{ path: 'accountName' }] });
    expect((await confirm({ accountName: 'Mine' })).status).toBe(201);
  });
});
