/**
 * Tests second factors and what depends on them: authenticator apps, recovery codes, accounts that require a factor,
 * recent proofs of a factor, sign-in links for owners, password policies, and API keys of removed members.
 *
 * Covers:
 * - domain/accounts/second-factor-rules
 * - platform/sign-in/github-provider
 * - services/factors/ask-second-factor
 * - services/factors/own-factors
 * - services/factors/recovery-codes
 * - services/accounts/require-second-factor
 * - services/factors/sign-in-ways
 * - services/factors/signed-in
 * - services/factors/verify-factor
 * - services/sign-in/finish-sign-in
 * - services/sign-in/prove-identity
 */

import { TOTP } from 'otpauth';
import request from 'supertest';
import { createPasskeys } from '../../../src/platform/sign-in/passkeys';
import type { SignInProvider } from '../../../src/platform/sign-in/provider';
import { createProviders } from '../../../src/platform/sign-in/providers';
import { createOwnerLink } from '../../../src/services/sign-in/owner-link';
import { type GithubEmail, startGithubServer } from '../../support/github-server';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { accountOfEach, PUBLIC_URL, SETUP_TOKEN, suiteService } from '../test-service';
import { begin, comeBack, RULES, readCookie, readFailure } from './sign-in-service';

const providers: SignInProvider[] = [];
const signIn = {
  passwords: 'on',
  providers,
  passkeys: createPasskeys('http://localhost'),
} as const;
const service = suiteService({ signIn }, { trustedProxies: 1 });
const account = accountOfEach(service);
const owner = { accountName: 'First', email: 'first@example.com', password: PASSWORD };
let person: TestPerson;

beforeAll(async () => {
  // The set-up is possible only while no other person exists.
  await request(service.app)
    .post('/v1/setup')
    .send({ setupToken: SETUP_TOKEN, ...owner });
});

beforeEach(async () => {
  await service.database.database.models.failedSignIns.deleteMany({});
  person = await personOf(service, account.id, 'owner');
});

type Method = 'get' | 'post' | 'patch' | 'delete';

const as = (cookie: string) => (method: Method, path: string, body?: object) =>
  request(service.app)[method](path).set({ Cookie: cookie, Origin: PUBLIC_URL }).send(body);

/** Returns the code for an instant that is this far from now. */
function codeOf(secret: string, aheadMs = 0): string {
  return new TOTP({ secret }).generate({ timestamp: service.clock.nowMs + aheadMs });
}

async function addApp(cookie = person.cookie) {
  const me = as(cookie);
  const { body } = await me('post', '/v1/session/factors/totp');
  const confirmed = await me('post', '/v1/session/factors/totp/confirm', {
    token: body.token,
    code: codeOf(body.secret),
  });
  expect(confirmed.status).toBe(200);
  service.clock.nowMs += 30_000;
  return { secret: String(body.secret), recoveryCodes: confirmed.body.recoveryCodes as string[] };
}

const login = (email = person.email, password = PASSWORD) =>
  request(service.app).post('/v1/session').send({ email, password });

async function askedToken(): Promise<string> {
  const { status, body } = await login();
  expect(status).toBe(200);
  return body.secondFactor.token;
}

const prove = (body: object, address = '203.0.113.9') =>
  request(service.app).post('/v1/session/second-factor').set('X-Forwarded-For', address).send(body);

describe('an authenticator app', () => {
  it('an authenticator app is asked for at sign-in, and its code opens the session', async () => {
    const { secret } = await addApp();
    const first = await login();
    expect(first.body.secondFactor.methods).toEqual(['code', 'recoveryCode']);
    expect(readCookie(first.headers, 'keepwatch_session')).toBeNull();
    const { token } = first.body.secondFactor;
    const opened = await prove({ token, code: codeOf(secret) });
    expect(opened.status).toBe(201);
    expect(opened.body.user.email).toBe(person.email);
    // The first proof has used up the token of this sign-in, so the token is refused even with an unused code.
    expect((await prove({ token, code: codeOf(secret, 30_000) })).status).toBe(401);
  });

  it('a code of an authenticator app works once, and older codes are refused afterwards', async () => {
    const { secret } = await addApp();
    const code = codeOf(secret);
    expect((await prove({ token: await askedToken(), code })).status).toBe(201);
    expect((await prove({ token: await askedToken(), code })).status).toBe(401);
    const older = codeOf(secret, -30_000);
    expect((await prove({ token: await askedToken(), code: older })).status).toBe(401);
  });

  it.each([
    [-30_000, 201],
    [30_000, 201],
    [-60_000, 401],
    [60_000, 401],
  ])(
    'a code of an authenticator app whose clock is %d ms off gets the status %d',
    async (offMs, status) => {
      const { secret } = await addApp();
      service.clock.nowMs += 120_000;
      expect((await prove({ token: await askedToken(), code: codeOf(secret, offMs) })).status).toBe(
        status,
      );
    },
  );

  it('tries with wrong codes of an authenticator app are throttled, from one network and from many', async () => {
    const { secret } = await addApp();
    const token = await askedToken();
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1)
      statuses.push((await prove({ token, code: '000000' })).status);
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses.slice(6)).toEqual([429, 429]);
    for (let tries = 0; tries < 16; tries += 1)
      await prove({ token, code: '000000' }, `198.51.100.${tries}`);
    const right = await prove({ token, code: codeOf(secret) }, '192.0.2.1');
    expect(right.body).toMatchObject({ status: 429, code: 'rate_limited' });
    service.clock.nowMs += 5 * 60_000;
    const late = { token: await askedToken(), code: codeOf(secret) };
    expect((await prove(late, '192.0.2.1')).status).toBe(201);
  });

  it('an authenticator app is not in use before its first correct code', async () => {
    const me = as(person.cookie);
    const { body } = await me('post', '/v1/session/factors/totp');
    const wrong = { token: body.token, code: codeOf(body.secret, 600_000) };
    expect((await me('post', '/v1/session/factors/totp/confirm', wrong)).status).toBe(401);
    expect((await login()).status).toBe(201);
  });

  it('an authenticator app is stored encrypted, and is in no audit event', async () => {
    const { secret, recoveryCodes } = await addApp();
    const { models } = service.database.database;
    const stored = JSON.stringify([
      await models.codeApps.find().lean(),
      await models.recoveryCodes.find().lean(),
      await models.audit.find().lean(),
      await models.signInSteps.find().lean(),
    ]);
    for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text);
    expect(stored).toContain('code_app.create');
  });

  it("adding an authenticator app ends the person's other sessions", async () => {
    const other = await login();
    const cookie = readCookie(other.headers, 'keepwatch_session') ?? '';
    await addApp();
    expect((await as(cookie)('get', '/v1/session')).status).toBe(401);
    expect((await as(person.cookie)('get', '/v1/session')).status).toBe(200);
  });
});

describe('recovery codes', () => {
  it('recovery codes work once each, in any spelling', async () => {
    const { recoveryCodes } = await addApp();
    expect(recoveryCodes).toHaveLength(10);
    const [code = ''] = recoveryCodes;
    const spelled = ` ${code.toUpperCase().replaceAll('-', ' ')} `;
    expect((await prove({ token: await askedToken(), recoveryCode: spelled })).status).toBe(201);
    expect((await prove({ token: await askedToken(), recoveryCode: code })).status).toBe(401);
    const { body } = await as(person.cookie)('get', '/v1/session/factors');
    expect(body.recoveryCodesLeft).toBe(9);
  });

  it('if a recovery code is used several times in parallel, exactly one use succeeds', async () => {
    const { recoveryCodes } = await addApp();
    const tokens = [await askedToken(), await askedToken(), await askedToken()];
    const recoveryCode = recoveryCodes[1] ?? '';
    const used = await Promise.all(tokens.map((token) => prove({ token, recoveryCode })));
    expect(used.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('recovery codes stop working when new codes are created and when the last factor is removed', async () => {
    const { recoveryCodes } = await addApp();
    const me = as(person.cookie);
    const renewed = await me('post', '/v1/session/factors/recovery-codes');
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    const old = { token: await askedToken(), recoveryCode: recoveryCodes[0] };
    expect((await prove(old)).status).toBe(401);
    expect((await me('delete', '/v1/session/factors/totp')).status).toBe(204);
    expect((await login()).status).toBe(201);
    expect((await me('post', '/v1/session/factors/recovery-codes')).status).toBe(404);
  });
});

describe('changes of second factors', () => {
  it('changes of second factors require a password or code that was checked less than 15 minutes ago', async () => {
    const { secret } = await addApp();
    const me = as(person.cookie);
    service.clock.nowMs += 15 * 60_000;
    const refused = await me('delete', '/v1/session/factors/totp');
    expect(refused.body).toMatchObject({ status: 403, code: 'proof_required' });
    expect((await me('post', '/v1/session/proof', { password: 'wrong' })).status).toBe(401);
    expect((await me('post', '/v1/session/proof', { code: codeOf(secret) })).status).toBe(204);
    expect((await me('delete', '/v1/session/factors/totp')).status).toBe(204);
  });

  it('changes of second factors by API keys are refused', async () => {
    const key = { Authorization: `Bearer ${account.key}` };
    const started = await request(service.app).post('/v1/session/factors/totp').set(key);
    expect(started.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });
});

describe('an account that requires a second factor', () => {
  async function requireFactor(): Promise<string> {
    const { secret } = await addApp();
    const changed = await as(person.cookie)('patch', '/v1/account', { requireSecondFactor: true });
    expect(changed.body.requireSecondFactor).toBe(true);
    return secret;
  }

  it('people who lack a required second factor cannot read monitors until they add a factor', async () => {
    await requireFactor();
    const other = await personOf(service, account.id, 'admin');
    const me = as(other.cookie);
    expect((await me('get', '/v1/monitors')).body).toMatchObject({
      status: 403,
      code: 'second_factor_required',
    });
    expect((await me('get', '/v1/session')).body.needsSecondFactor).toBe(true);
    await addApp(other.cookie);
    expect((await me('get', '/v1/monitors')).status).toBe(200);
    expect((await me('get', '/v1/session')).body.needsSecondFactor).toBe(false);
  });

  it('an account that requires a second factor still admits API keys', async () => {
    await requireFactor();
    const key = { Authorization: `Bearer ${account.key}` };
    expect((await request(service.app).get('/v1/monitors').set(key)).status).toBe(200);
  });

  it('in an account that requires a second factor, no one can remove their last factor', async () => {
    await requireFactor();
    const refused = await as(person.cookie)('delete', '/v1/session/factors/totp');
    expect(refused.body).toMatchObject({ status: 409, code: 'in_use' });
  });

  it('only a person with a second factor can make the account require second factors', async () => {
    const change = { requireSecondFactor: true };
    const alone = await as(person.cookie)('patch', '/v1/account', change);
    expect(alone.body).toMatchObject({ status: 403, code: 'second_factor_required' });
    const key = { Authorization: `Bearer ${account.key}` };
    const byKey = await request(service.app).patch('/v1/account').set(key).send(change);
    expect(byKey.status).toBe(403);
  });
});

describe('KEEPWATCH_PASSWORDS', () => {
  const loginWith = (passwords: 'owners' | 'off', email: string, password = PASSWORD) =>
    request(service.appWith({ signIn: { ...service.services.signIn, passwords } }))
      .post('/v1/session')
      .send({ email, password });

  it('KEEPWATCH_PASSWORDS=owners accepts only passwords of owners, and refuses right and wrong passwords of others alike', async () => {
    const editor = await personOf(service, account.id, 'editor');
    expect((await loginWith('owners', person.email)).status).toBe(201);
    const right = await loginWith('owners', editor.email);
    const wrong = await loginWith('owners', editor.email, 'wrong');
    expect(right.body).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(wrong.body.detail).toBe(right.body.detail);
  });

  it('KEEPWATCH_PASSWORDS=off refuses every password, and every request to reset a password', async () => {
    expect((await loginWith('off', person.email)).body).toMatchObject({
      status: 403,
      code: 'passwords_off',
    });
    const app = service.appWith({ signIn: { ...service.services.signIn, passwords: 'off' } });
    const reset = request(app).post('/v1/password/reset-request').send({ email: person.email });
    expect((await reset).status).toBe(403);
  });
});

describe('the link for owners', () => {
  const open = (url: string) =>
    request(service.app)
      .post('/v1/sign-in/owner-link')
      .send({ token: url.split('#token=')[1] });

  it('the link for owners signs an owner in once, without any factor', async () => {
    const { url, email } = await createOwnerLink(service.services, null);
    expect(email).toBe(owner.email);
    const opened = await open(url);
    expect(opened.status).toBe(201);
    expect(opened.body.user).toMatchObject({ email, role: 'owner' });
    expect((await open(url)).status).toBe(401);
  });

  it('the link for owners ends after 15 minutes', async () => {
    const { url } = await createOwnerLink(service.services, owner.email.toUpperCase());
    service.clock.nowMs += 15 * 60_000;
    expect((await open(url)).status).toBe(401);
  });

  it('the link for owners is created for owners only', async () => {
    const unknown = createOwnerLink(service.services, 'nobody@example.com');
    await expect(unknown).rejects.toThrow('The owners are: first@example.com.');
  });
});

describe('the API keys of a removed member', () => {
  async function removeMember(apiKeys?: string) {
    const admin = await personOf(service, account.id, 'admin');
    const made = await as(admin.cookie)('post', '/v1/api-keys', { name: 'ci', scopes: ['admin'] });
    const call = () =>
      request(service.app).get('/v1/session').set('Authorization', `Bearer ${made.body.key}`);
    expect((await call()).status).toBe(200);
    await service.services.stores.users.setRole(account.id, admin.id, 'viewer');
    const query = apiKeys === undefined ? '' : `?apiKeys=${apiKeys}`;
    const removed = await as(person.cookie)('delete', `/v1/members/${admin.id}${query}`);
    return { removed, call };
  }

  it('the API keys of a removed member end with the member, unless they are moved', async () => {
    const { removed, call } = await removeMember();
    expect(removed.status).toBe(204);
    expect((await call()).body.code).toBe('revoked_token');
  });

  it('the API keys of a removed member can be moved to the owner who removes the member, with the same rights', async () => {
    const { removed, call } = await removeMember('move');
    expect(removed.status).toBe(204);
    expect((await call()).body).toMatchObject({ scopes: ['read'] });
    const page = await service.services.stores.audit.page(account.id, {
      limit: 50,
      beforeId: null,
    });
    expect(page.items.map(({ action }) => action)).toContain('api_key.move');
  });

  it('an unknown choice for the API keys of a removed member is refused', async () => {
    expect((await removeMember('keep')).removed.status).toBe(400);
  });
});

describe('GitHub', () => {
  const secret = 'the secret of the client';
  const address = (email: string, verified: boolean, primary = false): GithubEmail => ({
    email,
    verified,
    primary,
  });
  let nextSubject = 1_000;
  let github: Awaited<ReturnType<typeof startGithubServer>>;

  beforeAll(async () => {
    github = await startGithubServer(secret);
    const shared = {
      name: 'GitHub',
      protocol: 'github',
      issuer: github.url,
      clientId: 'id',
      scopes: ['user:email'],
      accountId: null,
    } as const;
    const open = { ...RULES, defaultRole: 'viewer' } as const;
    providers.push(
      ...createProviders(
        [
          { ...shared, id: 'github', clientSecret: secret, rules: open },
          {
            ...shared,
            id: 'domain',
            clientSecret: secret,
            rules: { ...open, allowedDomains: ['example.com'] },
          },
          { ...shared, id: 'impostor', clientSecret: 'another', rules: open },
        ],
        { clock: { now: () => service.clock.nowMs } },
      ),
    );
  });
  afterAll(() => github.close());

  /**
   * Signs in through GitHub. Resolves to the email address of the person who is signed in, or to the reason of the
   * refusal.
   */
  async function signInBy(id: string, emails: readonly GithubEmail[], person: number) {
    github.person = { id: person, emails };
    const begun = await begin({ service }, id);
    const { headers } = await fetch(begun.location, { redirect: 'manual' });
    const back = await comeBack({ service }, headers.get('location') ?? '', begun.cookie);
    const failure = readFailure(back.headers);
    if (failure !== null) return failure;
    const cookie = readCookie(back.headers, 'keepwatch_session') ?? '';
    return (await as(cookie)('get', '/v1/session')).body.user.email;
  }

  it.each([
    ['no address', 'github', [], 'claims_incomplete'],
    ['one verified address', 'github', [address('One@Example.com', true, true)], 'one@example.com'],
    [
      'an unverified address',
      'github',
      [address('two@example.com', false, true)],
      'email_unverified',
    ],
    [
      'an unverified primary and a verified other address',
      'github',
      [address('other@example.com', true), address('three@example.com', false, true)],
      'email_unverified',
    ],
    [
      'several verified addresses',
      'github',
      [address('four@x.example', true), address('four@example.com', true, true)],
      'four@example.com',
    ],
    [
      'several addresses, one of them in the domain',
      'domain',
      [address('five@x.example', true, true), address('five@example.com', true)],
      'five@example.com',
    ],
    [
      'an unverified address in the domain',
      'domain',
      [address('six@x.example', true, true), address('six@example.com', false)],
      'domain_not_allowed',
    ],
    ['a wrong secret', 'impostor', [address('seven@example.com', true, true)], 'provider_refused'],
  ] as const)(
    'the addresses of a GitHub account decide the sign-in: %s',
    async (_what, id, emails, expected) => {
      nextSubject += 1;
      const subject = nextSubject;
      expect(await signInBy(id, emails, subject)).toBe(expected);
      const isIn = expected.includes('@');
      const known = await service.services.stores.identities.find(
        `${github.url}/login/oauth`,
        String(subject),
      );
      expect(known !== null).toBe(isIn);
      // The same GitHub person maps to the same Keepwatch person, even with another email address.
      if (isIn)
        expect(await signInBy('github', [address('new@example.com', true, true)], subject)).toBe(
          expected,
        );
    },
  );
});
