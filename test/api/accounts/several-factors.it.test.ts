/**
 * Tests second factors of people in several accounts. No way into an account skips the factor of the person or the
 * requirement of the account.
 *
 * Covers:
 * - services/accounts/operators
 * - services/accounts/stranded-people
 * - services/sessions/memberships
 * - services/sessions/prove-person
 * - services/sign-in/provider-flow
 * - services/sign-in/provider-people
 */
import { TOTP } from 'otpauth';
import request from 'supertest';
import type { ProviderClaims } from '../../../src/domain/accounts/provider-claims';
import { createPasskeys } from '../../../src/platform/sign-in/passkeys';
import type { SignInProvider } from '../../../src/platform/sign-in/provider';
import { hashToken } from '../../../src/services/accounts/api-key-format';
import { createProviderInProcess } from '../../support/provider-in-process';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { PUBLIC_URL, SETUP_TOKEN, suiteService, type TestAccount } from '../test-service';

const OPERATOR = 'operator@example.com';
const operatorEmails = [OPERATOR];
const providers: SignInProvider[] = [];
const claims = new Map<string, ProviderClaims>();
const signIn = {
  passwords: 'on',
  providers,
  passkeys: createPasskeys('http://localhost'),
} as const;
const service = suiteService({ registration: 'open', operatorEmails, signIn }, {});
let first: string;
let home: TestAccount;
let other: TestAccount;
let person: TestPerson;
let admin: TestPerson;

beforeAll(async () => {
  const owner = { accountName: 'First', email: 'first@example.com', password: PASSWORD };
  const set = await post('/v1/setup', { setupToken: SETUP_TOKEN, ...owner });
  first = set.body.account.id;
});

beforeEach(async () => {
  service.clock.nowMs += 3_600_000;
  home = await service.newAccount();
  other = await service.newAccount();
  person = await personOf(service, home.id, 'owner');
  admin = await personOf(service, other.id, 'owner');
  providers.splice(
    0,
    providers.length,
    createProviderInProcess({ id: 'tenant', accountId: other.id, people: claims }),
    createProviderInProcess({ id: 'company', accountId: null, people: claims }),
  );
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

/** Adds an authenticator app, and uses up its current code. */
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
  it('in an account that requires a second factor, a person without a factor can only add a factor or switch accounts', async () => {
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

  it('in an account that requires a second factor, an invited person without a factor cannot read monitors', async () => {
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

  it('a person who lacks a required second factor can see why the account is suspended', async () => {
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
  it("accepting an invitation or a registration by password also requires the person's second factor", async () => {
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

  it('a session opened by a link or an account switch keeps the time of the last proof of a second factor', async () => {
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

  it('a person who leaves their last account loses all their second factors', async () => {
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
    expect(await stores.identities.listForPerson(personId)).toEqual([]);
    expect(await stores.passkeys.listForPerson(personId)).toEqual([]);
    expect(await stores.sessions.listForPerson(personId)).toEqual([]);
  });
});

it('accepting an invitation sets no password for a person who signs in through a provider', async () => {
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

/** Signs in at the provider as a person with these claims. Resolves to the session, or to the reason of the refusal. */
async function signInAt(provider: string, subject: string, given: ProviderClaims) {
  claims.set(subject, given);
  const path = `/v1/sign-in/oidc/${provider}`;
  const begun = await request(service.app).get(`${path}/start`);
  const { searchParams } = new URL(String(begun.headers['location']));
  const back = `${path}/callback?state=${searchParams.get('state')}&code=${subject}`;
  const { cookie } = sessionIn(begun);
  const done = await request(service.app).get(back).set('Cookie', cookie);
  const { searchParams: led } = new URL(String(done.headers['location']), PUBLIC_URL);
  return led.get('failed') ?? sessionIn(done);
}

async function connect(issuer: string, subject: string, who = person): Promise<string> {
  const { personId = '' } = (await readSession(who)) ?? {};
  const at = { createdAtMs: service.clock.nowMs, lastUsedAtMs: service.clock.nowMs };
  await service.services.stores.identities.add({ issuer, subject, personId, ...at });
  return personId;
}

describe('a provider of one account', () => {
  let session: Pick<TestPerson, 'cookie'>;

  beforeEach(async () => {
    await joinOther();
    await connect('https://tenant.example', person.id);
    const opened = await signInAt('tenant', person.id, { email: person.email, amr: ['mfa'] });
    if (typeof opened === 'string') throw new Error(opened);
    session = opened;
  });

  it("if an account requires a second factor, a session of the account's own provider needs no further factor", async () => {
    await requireIn(other.id);
    expect((await as(session, 'get', '/v1/session')).body.account.id).toBe(other.id);
    expect((await listMonitors(session)).status).toBe(200);
  });

  it('a session of a provider limited to one account does not count as proof in other accounts', async () => {
    const switching = { accountId: home.id };
    const refused = await as(session, 'put', '/v1/session/account', switching);
    expect(refused.body).toMatchObject({ status: 403, code: 'proof_required' });
    expect((await as(session, 'post', '/v1/session/factors/totp')).body.code).toBe(
      'proof_required',
    );
    const third = await service.newAccount();
    const inviter = await personOf(service, third.id, 'owner');
    const inviting = { email: person.email, role: 'viewer' };
    const { body } = await as(inviter, 'post', '/v1/invitations', inviting);
    const token = String(body.acceptUrl).split('#token=')[1];
    const joining = await as(session, 'post', '/v1/invitations/accept', { token });
    expect(joining.body).toMatchObject({ status: 400, code: 'validation_failed' });
    const login = await post('/v1/session', { email: person.email, password: PASSWORD });
    const own = sessionIn(login);
    expect((await as(own, 'put', '/v1/session/account', switching)).status).toBe(200);
  });

  it('a session of a provider that is limited to one account ends when the person leaves that account', async () => {
    const left = await as(session, 'delete', '/v1/session/account');
    expect(left.status).toBe(204);
    expect((await as(session, 'get', '/v1/session')).body.code).toBe('invalid_token');
    expect((await as(sessionIn(left), 'get', '/v1/session')).status).toBe(401);
    expect((await as(person, 'get', '/v1/session')).body.accounts).toHaveLength(1);
  });

  it('a session of a provider that is limited to one account stays in that account, even after a second factor', async () => {
    const secret = await addApp(person);
    claims.set(person.id, { email: person.email });
    const begun = await request(service.app).get('/v1/sign-in/oidc/tenant/start');
    const state = new URL(String(begun.headers['location'])).searchParams.get('state');
    const path = `/v1/sign-in/oidc/tenant/callback?state=${state}&code=${person.id}`;
    const asked = await request(service.app).get(path).set('Cookie', sessionIn(begun).cookie);
    const token = new URLSearchParams(String(asked.headers['location']).split('#')[1]).get('token');
    const opened = await post('/v1/session/second-factor', { token, code: codeOf(secret) });
    expect(opened.body.account.id).toBe(other.id);
    const switching = { accountId: home.id };
    const refused = await as(sessionIn(opened), 'put', '/v1/session/account', switching);
    expect(refused.body.code).toBe('proof_required');
  });

  it('a session of a provider that is limited to one account gives no operator rights and confirms no email address', async () => {
    const { stores } = service.services;
    const inviting = { email: OPERATOR, role: 'viewer' };
    expect((await as(admin, 'post', '/v1/invitations', inviting)).status).toBe(201);
    const claimed = { email: OPERATOR, email_verified: true };
    const opened = await signInAt('tenant', `operator-${other.id}`, claimed);
    if (typeof opened === 'string') throw new Error(opened);
    const { personId = '' } = (await readSession(opened)) ?? {};
    expect((await stores.people.find(personId))?.emailConfirmedAtMs).toBeUndefined();
    await stores.people.confirmEmail(personId, service.clock.nowMs);
    const refused = await as(opened, 'get', '/v1/operator/accounts');
    expect(refused.body.code).toBe('insufficient_scope');
    // A session through the provider cannot add a factor. Otherwise the provider could add a passkey to the operator.
    const adding = await as(opened, 'post', '/v1/session/factors/totp');
    expect(adding.body.code).toBe('proof_required');
    await as(opened, 'delete', '/v1/session/account');
  });
});

test('an operator needs the second factor that the first account requires, even in other accounts', async () => {
  const { stores } = service.services;
  operatorEmails.push(person.email);
  const { personId = '' } = (await readSession(person)) ?? {};
  await stores.people.confirmEmail(personId, service.clock.nowMs);
  const list = () => as(person, 'get', '/v1/operator/accounts');
  expect((await list()).status).toBe(200);
  await stores.accounts.setRequireSecondFactor(first, true);
  const key = { name: 'ops', scopes: ['read'], operator: true };
  for (const refused of [await list(), await as(person, 'post', '/v1/api-keys', key)])
    expect(refused.body).toMatchObject({ status: 403, code: 'second_factor_required' });
  await addApp(person);
  expect((await list()).status).toBe(200);
  await stores.accounts.setRequireSecondFactor(first, false);
});

/** States in which a person with the same email address may exist before the first sign-in through a provider. */
const MATCHES = [true, false].flatMap((isBound) =>
  [true, false].flatMap((isVerified) =>
    [true, false].flatMap((isConfirmed) =>
      (['here', 'elsewhere', 'both'] as const).flatMap((place) =>
        (['nothing', 'password', 'passkey', 'identity'] as const).map((has) => ({
          isBound,
          isVerified,
          isConfirmed,
          place,
          has,
        })),
      ),
    ),
  ),
);

test('a sign-in is linked to a person by email only if the address and the provider are trusted', async () => {
  const { stores, newId } = service.services;
  const createdAtMs = service.clock.nowMs;
  for (const [index, { isBound, isVerified, isConfirmed, place, has }] of MATCHES.entries()) {
    // Moves the clock, so that sign-ins of the previous minute no longer count towards the limit.
    service.clock.nowMs += 61_000;
    const [email, personId] = [`match-${index}@example.com`, newId('person')];
    const passwordHash = has === 'password' ? 'phc' : null;
    await stores.people.ensure({ id: personId, email, passwordHash, createdAtMs });
    if (isConfirmed) await stores.people.confirmEmail(personId, createdAtMs);
    const own = isBound ? other.id : first;
    const places = { here: [own], elsewhere: [home.id], both: [own, home.id] }[place];
    for (const accountId of places) {
      const member = { id: newId('user'), accountId, personId, email, role: 'viewer' } as const;
      await stores.users.create(accountId, { ...member, createdAtMs, joinedAtMs: createdAtMs });
    }
    const times = { createdAtMs, lastUsedAtMs: createdAtMs };
    if (has === 'identity')
      await stores.identities.add({
        issuer: 'https://x.example',
        subject: email,
        personId,
        ...times,
      });
    if (has === 'passkey') {
      const key = { publicKey: 'key', counter: 0, transports: [] };
      await stores.passkeys.add({ id: email, personId, name: 'Laptop', ...key, ...times });
    }
    const provider = isBound ? 'tenant' : 'company';
    const opened = await signInAt(provider, email, { email, email_verified: isVerified });
    const isLinked =
      (await stores.identities.listForPerson(personId)).length > (has === 'identity' ? 1 : 0);
    const isSpokenFor = !isBound || place === 'here';
    const isTheirs =
      isConfirmed || has === 'nothing' || (has !== 'identity' && place !== 'elsewhere');
    const expected = isVerified && isSpokenFor && isTheirs;
    expect([MATCHES[index], isLinked]).toEqual([MATCHES[index], expected]);
    if (!expected) expect(opened).toBe('connect_first');
    // Someone who had set a password or added a passkey earlier must not become the confirmed owner of the address.
    const isConfirmedNow = (await stores.people.find(personId))?.emailConfirmedAtMs != null;
    const becomesConfirmed = expected && !isBound && has === 'nothing';
    expect([MATCHES[index], isConfirmedNow]).toEqual([
      MATCHES[index],
      isConfirmed || becomesConfirmed,
    ]);
  }
});

test.each(['tenant', 'company'])(
  'a sign-in with an unverified address through the provider %s creates no person',
  async (id) => {
    const email = `unverified-${id}-${other.id}@example.com`;
    const account = id === 'tenant' ? other.id : first;
    const inviting = { email, role: 'viewer', createdBy: null, hash: email } as const;
    const times = { createdAtMs: service.clock.nowMs, expiresAtMs: service.clock.nowMs + 60_000 };
    const invitation = { id: service.services.newId('invitation'), ...inviting, ...times };
    await service.services.stores.invitations.create(account, {
      ...invitation,
      accountId: account,
    });
    expect(await signInAt(id, email, { email })).toBe('email_unverified');
    expect(await service.services.stores.people.findByEmail(email)).toBeNull();
    expect(await signInAt(id, email, { email, email_verified: true })).toMatchObject({});
    expect(await service.services.stores.people.findByEmail(email)).not.toBeNull();
  },
);

test('the first reset of a password removes the second factors of someone who used the address before', async () => {
  const { stores } = service.services;
  const reset = async (status = 204) => {
    const token = service.services.newId('request');
    const times = { createdAtMs: service.clock.nowMs, expiresAtMs: service.clock.nowMs + 60_000 };
    await stores.passwordTokens.create({ hash: hashToken(token), personId, ...times });
    const done = await post('/v1/password/reset', { token, password: PASSWORD });
    expect(done.status).toBe(status);
    return post('/v1/session', { email: person.email, password: PASSWORD });
  };
  await addApp(person);
  const personId = await connect('https://company.example', person.id);
  // If the database interrupts a reset, the next reset removes the remaining factors.
  const { removeForPerson } = stores.identities;
  Object.assign(stores.identities, { removeForPerson: () => Promise.reject(new Error('away')) });
  await reset(500);
  Object.assign(stores.identities, { removeForPerson });
  const login = await reset();
  expect(login.status).toBe(201);
  expect(await stores.identities.listForPerson(personId)).toEqual([]);
  expect((await as(person, 'get', '/v1/session')).status).toBe(401);
  // After the reset, new factors belong to the owner of the address and are not removed by the next reset.
  await addApp(sessionIn(login));
  expect((await reset()).body).toHaveProperty('secondFactor');
});

test.each(['password', 'factor'])(
  'a change of the %s also ends a session that switches accounts at the same time',
  async (what) => {
    await joinOther();
    const { sessions } = service.services.stores;
    const { create } = sessions;
    const { personId = '', hash = '' } = (await readSession(person)) ?? {};
    Object.assign(sessions, {
      create: async (session: Parameters<typeof create>[0]) => {
        // The change comes after the old session is read and before the new session is written.
        await (what === 'password'
          ? sessions.removeForPerson(personId)
          : sessions.removeOthers(personId, `not ${hash}`));
        return create(session);
      },
    });
    const switched = await as(person, 'put', '/v1/session/account', { accountId: other.id });
    Object.assign(sessions, { create });
    expect(switched.body).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(await sessions.listForPerson(personId)).toEqual([]);
  },
);
