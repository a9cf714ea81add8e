/**
 * Second factors of people in several accounts: no way into an account passes by the factor of the person, or the
 * requirement of the account.
 *
 * Covers:
 * - services/accounts/stranded-people
 * - services/sessions/memberships
 * - services/sessions/prove-person
 */
import { TOTP } from 'otpauth';
import request from 'supertest';
import { hashToken } from '../../../src/services/accounts/api-key-format';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { PUBLIC_URL, suiteService, type TestAccount } from '../test-service';

const service = suiteService({ registration: 'open' }, {});
let home: TestAccount;
let other: TestAccount;
let person: TestPerson;
let admin: TestPerson;

beforeEach(async () => {
  service.clock.nowMs += 3_600_000;
  home = await service.newAccount();
  other = await service.newAccount();
  person = await personOf(service, home.id, 'owner');
  admin = await personOf(service, other.id, 'owner');
});

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

function as({ cookie }: Pick<TestPerson, 'cookie'>, verb: Verb, path: string, body?: object) {
  return request(service.app)[verb](path).set({ Cookie: cookie, Origin: PUBLIC_URL }).send(body);
}

const post = (path: string, body: object) => request(service.app).post(path).send(body);

function sessionIn(answer: request.Response): Pick<TestPerson, 'cookie'> {
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return { cookie };
}

const codeOf = (secret: string): string =>
  new TOTP({ secret }).generate({ timestamp: service.clock.nowMs });

/** Adds an authenticator app, whose last code is used up. */
async function addApp(who: Pick<TestPerson, 'cookie'>): Promise<string> {
  const { body } = await as(who, 'post', '/v1/session/factors/totp');
  const confirming = { token: body.token, code: codeOf(body.secret) };
  const confirmed = await as(who, 'post', '/v1/session/factors/totp/confirm', confirming);
  expect(confirmed.status).toBe(200);
  service.clock.nowMs += 30_000;
  return body.secret;
}

async function inviteToOther(email = person.email): Promise<string> {
  const invited = await as(admin, 'post', '/v1/invitations', { email, role: 'viewer' });
  expect(invited.status).toBe(201);
  return String(invited.body.acceptUrl).split('#token=')[1] ?? '';
}

async function joinOther(given?: string): Promise<request.Response> {
  const token = given ?? (await inviteToOther());
  const accepted = await as(person, 'post', '/v1/invitations/accept', { token });
  expect(accepted.status).toBe(201);
  return accepted;
}

const requireIn = (accountId: string) =>
  service.services.stores.accounts.setRequireSecondFactor(accountId, true);

const listMonitors = (who: Pick<TestPerson, 'cookie'>) => as(who, 'get', '/v1/monitors');

async function readSession(who: Pick<TestPerson, 'cookie'>) {
  const [{ sessions }, [, id = '']] = [service.services.stores, who.cookie.split('=')];
  return sessions.findByHash(hashToken(id));
}

async function addRegistration(email: string): Promise<string> {
  const token = service.services.newId('request');
  const createdAtMs = service.clock.nowMs;
  await service.services.stores.registrations.create({
    hash: hashToken(token),
    email,
    accountName: 'Their shop',
    createdAtMs,
    expiresAtMs: createdAtMs + 60_000,
  });
  return token;
}

describe('an account that requires a second factor', () => {
  it('an account that requires a second factor lets a person without one only add one or switch back', async () => {
    await joinOther();
    await requireIn(other.id);
    const switched = await as(person, 'put', '/v1/session/account', { accountId: other.id });
    expect(switched.status).toBe(200);
    const there = sessionIn(switched);
    expect((await listMonitors(there)).body.code).toBe('second_factor_required');
    expect((await as(there, 'delete', '/v1/session/account')).body.code).toBe(
      'second_factor_required',
    );
    expect((await as(there, 'get', '/v1/session')).body.needsSecondFactor).toBe(true);
    const back = sessionIn(await as(there, 'put', '/v1/session/account', { accountId: home.id }));
    expect((await listMonitors(back)).status).toBe(200);
    const again = sessionIn(await as(back, 'put', '/v1/session/account', { accountId: other.id }));
    await addApp(again);
    expect((await listMonitors(again)).status).toBe(200);
  });

  it('an account that requires a second factor lets an invited person without one do nothing', async () => {
    const token = await inviteToOther();
    await requireIn(other.id);
    const there = sessionIn(await joinOther(token));
    expect((await listMonitors(there)).body.code).toBe('second_factor_required');
  });

  it('an account that requires a second factor accepts the factor proved in another account', async () => {
    await addApp(person);
    const token = await inviteToOther();
    await requireIn(other.id);
    const there = sessionIn(await joinOther(token));
    expect((await listMonitors(there)).status).toBe(200);
  });

  it('an account that requires a second factor shows a person without one why it is suspended', async () => {
    await requireIn(home.id);
    const { nowMs } = service.clock;
    await service.services.stores.accounts.setSuspended(
      home.id,
      { reason: 'Unpaid', atMs: nowMs },
      nowMs,
    );
    const login = await post('/v1/session', { email: person.email, password: PASSWORD });
    expect(login.status).toBe(201);
    expect(login.body.account).toMatchObject({ suspended: { reason: 'Unpaid' } });
    const entered = sessionIn(login);
    expect((await as(entered, 'get', '/v1/session')).status).toBe(200);
    expect((await as(entered, 'post', '/v1/monitors', {})).body.code).toBe('account_suspended');
    expect((await as(entered, 'get', '/v1/session/factors')).status).toBe(200);
  });
});

describe('a person with a second factor', () => {
  it('a second factor must be proved after accepting an invitation or a registration with the password', async () => {
    const secret = await addApp(person);
    const links = [
      ['/v1/invitations/accept', await inviteToOther()],
      ['/v1/registrations/confirm', await addRegistration(person.email)],
    ] as const;
    for (const [path, token] of links) {
      const asked = await post(path, { token, password: PASSWORD });
      expect(asked.status).toBe(200);
      expect(asked.headers['set-cookie']).toBeUndefined();
      const step = { token: asked.body.secondFactor.token, code: codeOf(secret) };
      const opened = await post('/v1/session/second-factor', step);
      expect(opened.status).toBe(201);
      expect(opened.body.user.role).toBe(path.includes('invitations') ? 'viewer' : 'owner');
      service.clock.nowMs += 30_000;
    }
    const { items } = await service.services.stores.audit.page(other.id, {
      limit: 9,
      beforeId: null,
    });
    expect(items.map(({ action }) => action)).toContain('invitation.accept');
    expect(JSON.stringify(items)).not.toContain('secondFactor');
  });

  it('a link or a switch that opens another session keeps the time of the last proof', async () => {
    await addApp(person);
    const before = await readSession(person);
    expect(before?.secondFactorAtMs).toBeDefined();
    service.clock.nowMs += 16 * 60_000;
    const there = sessionIn(await joinOther());
    const proofs = {
      provedAtMs: before?.provedAtMs,
      secondFactorAtMs: before?.secondFactorAtMs,
    };
    expect(await readSession(there)).toMatchObject(proofs);
    const adding = await as(there, 'post', '/v1/session/factors/totp');
    expect(adding.body.code).toBe('proof_required');
    const back = sessionIn(await as(there, 'put', '/v1/session/account', { accountId: home.id }));
    expect(await readSession(back)).toMatchObject(proofs);
  });

  it('a person who leaves the last account loses all factors', async () => {
    const { stores } = service.services;
    const { personId = '' } = (await readSession(person)) ?? {};
    await addApp(person);
    const at = { createdAtMs: service.clock.nowMs, lastUsedAtMs: service.clock.nowMs };
    await stores.identities.add({
      issuer: 'https://sso.example',
      subject: personId,
      personId,
      ...at,
    });
    await personOf(service, home.id, 'owner');
    expect((await as(person, 'delete', '/v1/session/account')).status).toBe(204);
    expect(await stores.people.find(personId)).toBeNull();
    expect(await stores.codeApps.find(personId)).toBeNull();
    expect(await stores.recoveryCodes.count(personId)).toBe(0);
    expect(await stores.identities.listOf(personId)).toEqual([]);
    expect(await stores.passkeys.listOf(personId)).toEqual([]);
    expect(await stores.sessions.listOf(personId)).toEqual([]);
  });
});

it('an invitation gives no password to a person who signs in with a provider', async () => {
  const { stores } = service.services;
  const { personId = '' } = (await readSession(person)) ?? {};
  await service.database.database.models.people.updateOne(
    { _id: personId },
    { $set: { passwordHash: null } },
  );
  const token = await inviteToOther();
  const refused = await post('/v1/invitations/accept', {
    token,
    password: 'a password of the sender',
  });
  expect(refused.body).toMatchObject({ status: 401, code: 'invalid_token' });
  expect((await stores.people.find(personId))?.passwordHash).toBeNull();
  expect((await as(person, 'post', '/v1/invitations/accept', { token })).status).toBe(201);
});
