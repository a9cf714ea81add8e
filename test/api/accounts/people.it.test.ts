/**
 * Tests members, invitations and passwords, on the real application and database.
 *
 * Covers:
 * - services/accounts/invitations
 * - services/accounts/members
 * - services/accounts/account-emails
 * - services/accounts/present-account
 * - services/accounts/record-failed-sign-in
 * - services/accounts/stranded-people
 * - services/factors/notify-of-change
 * - services/sessions/accept-invitation
 * - services/sessions/passwords
 */
import request from 'supertest';
import { waitUntil } from '../../support/wait-until';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { openTestService, PUBLIC_URL, type TestAccount, type TestService } from '../test-service';

let service: TestService;
let account: TestAccount;
let owner: TestPerson;
const letters: { to: string; subject: string; text: string; html: string }[] = [];
const told: Record<string, string>[] = [];
let isMailAway = false;

beforeAll(async () => {
  service = await openTestService({
    mailer: {
      sendMail: async (letter) => {
        if (isMailAway) throw new Error('the mail server said no');
        letters.push(letter);
      },
    },
    notifyOperator: (facts) => told.push(facts),
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  // Lets the wrong logins of the previous test expire.
  service.clock.nowMs += 3_600_000;
  isMailAway = false;
  account = await service.newAccount();
  owner = await personOf(service, account.id, 'owner');
});

type Verb = 'get' | 'post' | 'patch' | 'delete';

/** Sends a request as a page of the service would. */
function as(person: Pick<TestPerson, 'cookie'>, verb: Verb, path: string, body?: object) {
  return request(service.app)
    [verb](path)
    .set({ Cookie: person.cookie, Origin: PUBLIC_URL })
    .send(body);
}

function post(path: string, body: object) {
  return request(service.app).post(path).send(body);
}

function cookieOf(answer: request.Response): string {
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return cookie;
}

function tokenIn(link: unknown): string {
  return String(link).split('#token=')[1]?.split(/\s/)[0] ?? '';
}

function letterTo(email: string): string {
  return letters.findLast(({ to }) => to === email)?.text ?? '';
}

let people = 0;

function newEmail(): string {
  people += 1;
  return `person-${people}@example.com`;
}

describe('invitations', () => {
  it('each invitation is sent by email, and creates a member with a session only once', async () => {
    const email = newEmail();
    const invited = await as(owner, 'post', '/v1/invitations', { email, role: 'editor' });
    expect(invited.status).toBe(201);
    expect(invited.body).toMatchObject({ email, role: 'editor', mailed: true, acceptUrl: null });
    const list = await as(owner, 'get', '/v1/invitations');
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([invited.body.id]);
    const token = tokenIn(letterTo(email));
    const accepted = await Promise.all(
      [1, 2, 3].map(() => post('/v1/invitations/accept', { token, password: PASSWORD })),
    );
    const [won] = accepted.filter(({ status }) => status === 201);
    expect(accepted.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(won?.body.user).toMatchObject({ email, role: 'editor' });
    const who = await as({ cookie: cookieOf(won as request.Response) }, 'get', '/v1/session');
    expect(who.body).toMatchObject({ user: { email, role: 'editor' }, scopes: ['write'] });
    const again = await post('/v1/invitations/accept', { token, password: PASSWORD });
    expect(again.body).toMatchObject({ status: 401, code: 'invalid_token' });
    expect((await as(owner, 'get', '/v1/invitations')).body.data).toEqual([]);
  });

  it('an invitation whose email the mail server refuses is shown to its sender as a link', async () => {
    isMailAway = true;
    const email = newEmail();
    const { body } = await as(owner, 'post', '/v1/invitations', { email, role: 'viewer' });
    expect(body).toMatchObject({ mailed: false });
    expect(body.acceptUrl).toMatch(/^http:\/\/keepwatch\.test\/invitation#token=[\w-]{43}$/);
    expect(told.at(-1)).toMatchObject({ reason: 'the mail server said no' });
    expect(JSON.stringify(told)).not.toContain(tokenIn(body.acceptUrl));
  });

  it('invitations are emailed to the same recipient at most five times an hour', async () => {
    const invite = () =>
      as(owner, 'post', '/v1/invitations', { email: 'often@example.com', role: 'viewer' });
    for (let count = 0; count < 5; count += 1) expect((await invite()).status).toBe(201);
    await invite();
    const refused = await invite();
    expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    service.clock.nowMs += 3_600_000;
    expect((await invite()).status).toBe(201);
  });

  it('invitations no longer work once they are withdrawn, replaced or expired', async () => {
    isMailAway = true;
    const accept = (link: string) =>
      post('/v1/invitations/accept', { token: tokenIn(link), password: PASSWORD });
    const inviting = { email: newEmail(), role: 'viewer' };
    const first = await as(owner, 'post', '/v1/invitations', inviting);
    const second = await as(owner, 'post', '/v1/invitations', inviting);
    expect((await accept(first.body.acceptUrl)).body.code).toBe('invalid_token');
    await as(owner, 'delete', `/v1/invitations/${second.body.id}`);
    expect((await accept(second.body.acceptUrl)).body.code).toBe('invalid_token');
    const third = await as(owner, 'post', '/v1/invitations', inviting);
    service.clock.nowMs += 8 * 24 * 3_600_000;
    expect((await accept(third.body.acceptUrl)).body.code).toBe('expired_token');
  });

  it("an invitation is refused for a used email address and for a role above the inviter's role", async () => {
    const taken = await as(owner, 'post', '/v1/invitations', {
      email: owner.email,
      role: 'viewer',
    });
    expect(taken.body).toMatchObject({ status: 409, code: 'key_taken' });
    const admin = await personOf(service, account.id, 'admin');
    for (const path of ['/v1/invitations', '/v1/members']) {
      const above = await as(admin, 'post', path, { email: newEmail(), role: 'owner' });
      expect(above.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
      const byKey = await request(service.app)
        .post(path)
        .set('Authorization', `Bearer ${account.key}`)
        .send({ email: newEmail(), role: 'owner' });
      expect(byKey.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    }
  });
});

describe('members', () => {
  it('a member is added without a password, and sets the password once through a link', async () => {
    const email = newEmail();
    const added = await as(owner, 'post', '/v1/members', { email, role: 'viewer' });
    expect(added.body).toMatchObject({ email, state: 'invited', mailed: true });
    expect((await post('/v1/session', { email, password: PASSWORD })).status).toBe(401);
    const reset = { token: tokenIn(letterTo(email)), password: PASSWORD };
    expect((await post('/v1/password/reset', reset)).status).toBe(204);
    expect((await post('/v1/password/reset', reset)).status).toBe(401);
    expect((await post('/v1/session', { email, password: PASSWORD })).status).toBe(201);
    const member = await as(owner, 'get', `/v1/members/${added.body.id}`);
    expect(member.body).toMatchObject({ state: 'active', role: 'viewer' });
  });

  it('an invited member is listed as an invitation until acceptance, and has the same id afterwards', async () => {
    isMailAway = true;
    const admin = await personOf(service, account.id, 'admin');
    const other = await service.newAccount();
    const elsewhere = await personOf(service, other.id, 'owner');
    const added = await as(owner, 'post', '/v1/members', { email: newEmail(), role: 'viewer' });
    const path = `/v1/members/${added.body.id}`;
    expect((await as(owner, 'get', path)).body).toMatchObject({ state: 'invited' });
    for (const [verb, body] of [['get'], ['patch', { role: 'admin' }], ['delete']] as const)
      expect((await as(elsewhere, verb, path, body)).status).toBe(404);
    expect((await as(owner, 'get', '/v1/invitations')).body.data).toHaveLength(1);
    const listed = (await as(owner, 'get', '/v1/members')).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain(added.body.id);
    const raise = await as(admin, 'patch', path, { role: 'owner' });
    expect(raise.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    const raised = await as(owner, 'patch', path, { role: 'owner' });
    expect(raised.body).toMatchObject({ id: added.body.id, role: 'owner', state: 'invited' });
    expect((await as(admin, 'delete', path)).body.code).toBe('insufficient_scope');
    // An owner who has not accepted the invitation does not count, so the last accepted owner cannot leave.
    expect((await as(owner, 'delete', '/v1/session/account')).body.code).toBe('limit_reached');
    expect((await as(owner, 'delete', path)).status).toBe(204);
    expect((await as(owner, 'get', path)).status).toBe(404);
    const token = tokenIn(added.body.setPasswordUrl);
    const late = await post('/v1/invitations/accept', { token, password: PASSWORD });
    expect(late.body.code).toBe('invalid_token');
  });

  it.each(['withdrawn', 'changed'])(
    'an invitation that is %s during its acceptance creates no member',
    async (how) => {
      isMailAway = true;
      const email = newEmail();
      const added = await as(owner, 'post', '/v1/members', { email, role: 'admin' });
      const path = `/v1/members/${added.body.id}`;
      const { users, people, invitations } = service.services.stores;
      const { remove } = invitations;
      Object.assign(invitations, {
        remove: async (...given: Parameters<typeof remove>) => {
          Object.assign(invitations, { remove });
          const [verb, body] =
            how === 'changed' ? (['patch', { role: 'viewer' }] as const) : (['delete'] as const);
          expect((await as(owner, verb, path, body)).status).toBeLessThan(300);
          return remove(...given);
        },
      });
      const accepting = { token: tokenIn(added.body.setPasswordUrl), password: PASSWORD };
      const refused = await post('/v1/invitations/accept', accepting);
      expect(refused.body).toMatchObject({ status: 401, code: 'invalid_token' });
      expect(await users.findByEmail(account.id, email)).toBeNull();
      expect(await people.findByEmail(email)).toBeNull();
    },
  );

  it('an owner can raise the invitation of an admin to owner, and the link still works', async () => {
    isMailAway = true;
    const admin = await personOf(service, account.id, 'admin');
    const inviting = { email: newEmail(), role: 'viewer' };
    const added = await as(admin, 'post', '/v1/members', inviting);
    await as(owner, 'patch', `/v1/members/${added.body.id}`, { role: 'owner' });
    const accepting = { token: tokenIn(added.body.setPasswordUrl), password: PASSWORD };
    const accepted = await post('/v1/invitations/accept', accepting);
    expect(accepted.body).toMatchObject({ user: { id: added.body.id, role: 'owner' } });
  });

  it('members use a new role from the next request on, and lose their sessions when removed', async () => {
    const editor = await personOf(service, account.id, 'editor');
    const create = () => as(editor, 'post', '/v1/monitors', { name: 'x', url: 'http://a.example' });
    expect((await create()).status).toBe(201);
    await as(owner, 'patch', `/v1/members/${editor.id}`, { role: 'viewer' });
    expect((await create()).body.code).toBe('insufficient_scope');
    expect((await as(owner, 'delete', `/v1/members/${editor.id}`)).status).toBe(204);
    expect((await create()).body).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(
      await service.database.database.models.sessions.countDocuments({ userId: editor.id }),
    ).toBe(0);
  });

  it('removed members lose their keys and invitations, including those created by their keys', async () => {
    const admin = await personOf(service, account.id, 'admin');
    const asAdmin = { Cookie: admin.cookie, Origin: PUBLIC_URL };
    const make = (path: string, headers: Record<string, string>, body: object) =>
      request(service.app).post(path).set(headers).send(body);
    const made = await make('/v1/api-keys', asAdmin, { name: 'theirs', scopes: ['admin'] });
    expect(made.body).toMatchObject({ createdBy: admin.id });
    const theirs = { Authorization: `Bearer ${made.body.key}` };
    const chained = await make('/v1/api-keys', theirs, { name: 'by their key' });
    expect(chained.body).toMatchObject({ createdBy: admin.id });
    const invited = await make('/v1/invitations', theirs, {
      email: 'x@example.com',
      role: 'viewer',
    });
    expect(invited.body).toMatchObject({ createdBy: admin.id });
    const asOwner = { Cookie: owner.cookie, Origin: PUBLIC_URL };
    const removed = await request(service.app).delete(`/v1/members/${admin.id}`).set(asOwner);
    expect(removed.status).toBe(204);
    for (const key of [made.body.key, chained.body.key]) {
      const refused = await request(service.app)
        .get('/v1/account')
        .set('Authorization', `Bearer ${key}`);
      expect(refused.body).toMatchObject({ code: 'revoked_token' });
    }
    const open = await request(service.app).get('/v1/invitations').set(asOwner);
    expect(open.body.data).toEqual([]);
    // A member who stays created this API key, so the key remains valid.
    const other = await request(service.app)
      .get('/v1/account')
      .set('Authorization', `Bearer ${account.key}`);
    expect(other.status).toBe(200);
  });

  it('an account keeps an owner even if two owners remove each other at the same time', async () => {
    const path = `/v1/members/${owner.id}`;
    for (const refused of [
      await as(owner, 'delete', path),
      await as(owner, 'patch', path, { role: 'viewer' }),
    ])
      expect(refused.body).toMatchObject({ status: 403, code: 'limit_reached' });
    const other = await personOf(service, account.id, 'owner');
    await Promise.all([
      as(owner, 'delete', `/v1/members/${other.id}`),
      as(other, 'patch', path, { role: 'viewer' }),
    ]);
    expect(await service.services.stores.users.countOwners(account.id)).toBeGreaterThan(0);
  });

  it('members with the role admin cannot change an owner', async () => {
    const admin = await personOf(service, account.id, 'admin');
    const path = `/v1/members/${owner.id}`;
    for (const refused of [
      await as(admin, 'delete', path),
      await as(admin, 'patch', path, { role: 'viewer' }),
      await as(admin, 'patch', `/v1/members/${admin.id}`, { role: 'owner' }),
    ])
      expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });
});

describe('a person of another account', () => {
  let other: TestPerson;

  beforeEach(async () => {
    other = await personOf(service, (await service.newAccount()).id, 'owner');
  });

  it('a person of another account gets a normal invitation, and accepts it with their old password', async () => {
    isMailAway = true;
    const inviting = { email: other.email, role: 'editor' };
    const invited = await as(owner, 'post', '/v1/invitations', inviting);
    const unknown = await as(owner, 'post', '/v1/invitations', { ...inviting, email: newEmail() });
    expect(Object.keys(invited.body)).toEqual(Object.keys(unknown.body));
    const token = tokenIn(invited.body.acceptUrl);
    const accept = (password: string) => post('/v1/invitations/accept', { token, password });
    expect((await accept('a password of the inviter')).body.code).toBe('invalid_token');
    const accepted = await accept(PASSWORD);
    expect(accepted.status).toBe(201);
    expect(accepted.body).toMatchObject({ account: { id: account.id }, user: { role: 'editor' } });
    const login = await post('/v1/session', { email: other.email, password: PASSWORD });
    expect(login.status).toBe(201);
  });

  it('a person of another account is added by a link that does not change their password', async () => {
    isMailAway = true;
    const added = await as(owner, 'post', '/v1/members', { email: other.email, role: 'viewer' });
    expect(added.body).toMatchObject({ state: 'invited' });
    const token = tokenIn(added.body.setPasswordUrl);
    const use = (password: string) => post('/v1/password/reset', { token, password });
    expect((await use('a password of the admin')).body.code).toBe('invalid_token');
    expect((await as(other, 'get', '/v1/session')).status).toBe(200);
    expect((await use(PASSWORD)).status).toBe(204);
    const path = `/v1/members/${added.body.id}`;
    expect((await as(owner, 'get', path)).body).toMatchObject({ state: 'active' });
  });

  it('a person exists until the last of their accounts removes them', async () => {
    const { stores } = service.services;
    const find = () => stores.people.findByEmail(owner.email);
    const second = await service.newAccount();
    const place = await stores.users.findByEmail(account.id, owner.email);
    if (place === null) throw new Error('there is no owner');
    const moved = { ...place, id: service.services.newId('user'), accountId: second.id };
    await stores.users.create(second.id, moved);
    const [admin, there] = [
      await personOf(service, account.id, 'owner'),
      await personOf(service, second.id, 'owner'),
    ];
    expect((await as(admin, 'delete', `/v1/members/${owner.id}`)).status).toBe(204);
    expect(await find()).not.toBeNull();
    expect((await as(there, 'delete', `/v1/members/${moved.id}`)).status).toBe(204);
    expect(await find()).toBeNull();
  });
});

describe('passwords', () => {
  const CHANGE = { currentPassword: PASSWORD, newPassword: 'another long password' };

  it('a password change requires the current password, ends every session and starts a new session', async () => {
    const login = await post('/v1/session', { email: owner.email, password: PASSWORD });
    const elsewhere = { cookie: cookieOf(login) };
    const wrong = await as(owner, 'post', '/v1/password', { ...CHANGE, currentPassword: 'x' });
    expect(wrong.body).toMatchObject({ status: 401, code: 'invalid_token' });
    const changed = await as(owner, 'post', '/v1/password', CHANGE);
    expect(changed.status).toBe(204);
    for (const old of [owner, elsewhere])
      expect((await as(old, 'get', '/v1/session')).body.code).toBe('invalid_token');
    const renewed = { cookie: cookieOf(changed) };
    expect((await as(renewed, 'get', '/v1/session')).status).toBe(200);
    await waitUntil('the person gets a mail', () =>
      letterTo(owner.email).startsWith('The password of your Keepwatch account was changed.'),
    );
    const old = await post('/v1/session', { email: owner.email, password: PASSWORD });
    expect(old.status).toBe(401);
    await post('/v1/session', { email: owner.email, password: PASSWORD });
    // Both attempts cause only one email.
    const find = () => as(renewed, 'get', '/v1/audit-events?action=session.refuse');
    await waitUntil(
      'the failed sign-in is recorded',
      async () => (await find()).body.data.length > 0,
    );
    expect((await find()).body.data).toMatchObject([
      { actor: { type: 'system', id: 'sign-in' }, after: { email: owner.email, by: 'password' } },
    ]);
    service.clock.nowMs += 16 * 60_000;
    await post('/v1/session', { email: owner.email, password: PASSWORD });
    await waitUntil(
      'a later failed sign-in is recorded, too',
      async () => (await find()).body.data.length === 2,
    );
  });

  it('a password cannot be changed with an API key', async () => {
    const answer = await request(service.app)
      .post('/v1/password')
      .set('Authorization', `Bearer ${account.key}`)
      .send(CHANGE);
    expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });

  it.each([{ Origin: 'https://elsewhere.example' }, { 'Sec-Fetch-Site': 'cross-site' }])(
    'a password cannot be reset by a request with the headers %j',
    async (from) => {
      const ask = (headers: Readonly<Record<string, string>>, email: string) =>
        request(service.app).post('/v1/password/reset-request').set(headers).send({ email });
      const refused = await ask(from, owner.email);
      expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
      // The email for the refused request would have been sent before this later email.
      const other = await personOf(service, account.id, 'editor');
      expect((await ask({ Origin: PUBLIC_URL }, other.email)).status).toBe(202);
      await waitUntil('the email to the other person is sent', () =>
        letters.some(({ to }) => to === other.email),
      );
      expect(letters.filter(({ to }) => to === owner.email)).toEqual([]);
    },
  );

  it('a link that resets a password works once within 30 minutes, and is emailed at most once a minute', async () => {
    const ask = (email: string) => post('/v1/password/reset-request', { email });
    const isLink = ({ to, subject }: { to: string; subject: string }) =>
      to === owner.email && subject.startsWith('Reset');
    const countOf = () => letters.filter(isLink).length;
    const newest = () => tokenIn(letters.findLast(isLink)?.text ?? '');
    for (const email of [owner.email, owner.email, 'nobody@example.com']) {
      const answer = await ask(email);
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
    await waitUntil('the email is sent', () => countOf() === 1);
    const first = newest();
    service.clock.nowMs += 61_000;
    await ask(owner.email);
    await waitUntil('a second email is sent', () => countOf() === 2);
    const second = newest();
    const reset = (token: string) => post('/v1/password/reset', { token, password: PASSWORD });
    const answers = await Promise.all([reset(second), reset(second), reset(second)]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 401, 401]);
    expect((await reset(first)).body.code).toBe('invalid_token');
    expect((await as(owner, 'get', '/v1/session')).status).toBe(401);
    service.clock.nowMs += 61_000;
    await ask(owner.email);
    await waitUntil('a third email is sent', () => countOf() === 3);
    service.clock.nowMs += 31 * 60_000;
    expect((await reset(newest())).body.code).toBe('expired_token');
  });
});

test('no credential is stored in clear text', async () => {
  isMailAway = true;
  const inviting = { email: newEmail(), role: 'viewer' };
  const invited = await as(owner, 'post', '/v1/invitations', inviting);
  const added = await as(owner, 'post', '/v1/members', { ...inviting, email: newEmail() });
  const key = await as(owner, 'post', '/v1/api-keys', { name: 'k' });
  const doors = [
    tokenIn(invited.body.acceptUrl),
    tokenIn(added.body.setPasswordUrl),
    key.body.key,
    owner.cookie.split('=')[1],
    PASSWORD,
  ];
  const { connection } = service.database.database;
  const names = await connection.listCollections();
  const dumps = await Promise.all(
    names.map(({ name }) => connection.collection(name).find({}).toArray()),
  );
  const dump = JSON.stringify(dumps);
  expect(dump).toContain(owner.id);
  for (const door of doors) {
    expect(String(door).length).toBeGreaterThan(10);
    expect(dump).not.toContain(door);
  }
});
