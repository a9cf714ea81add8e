/**
 * Tests sign-in through a real identity provider: who is admitted with which role, every way in which a response can be
 * wrong, back-channel logout, and second factors. All tests share one provider and one service.
 *
 * Covers:
 * - domain/accounts/sign-in-provider
 * - domain/accounts/sign-in-refusals
 * - services/sign-in/provider-flow
 * - services/sign-in/provider-logout
 * - services/sign-in/provider-people
 * - services/sign-in/sign-in-options
 */
import { generateKeyPairSync } from 'node:crypto';
import request from 'supertest';
import { fromHook } from '../../support/from-hook';
import type { Claims } from '../../support/identity-provider';
import { PUBLIC_URL } from '../test-service';
import {
  addPerson,
  begin,
  comeBack,
  OWNER,
  openSignInService,
  PASSWORD,
  readCookie,
  readFailure,
  type SignInService,
  signInAt,
} from './sign-in-service';

const all: SignInService = fromHook(beforeAll, openSignInService);
afterAll(() => all.close());
afterEach(async () => {
  all.provider.alterToken = null;
  all.provider.overrides.clear();
  await all.service.database.database.models.failedSignIns.deleteMany({});
});

const SESSION = 'keepwatch_session';

async function whoAmI(headers: Record<string, unknown>) {
  const cookie = readCookie(headers, SESSION);
  expect(cookie).not.toBeNull();
  const { body } = await request(all.service.app)
    .get('/v1/session')
    .set('Cookie', cookie ?? '');
  return body;
}

async function auditOf(email: string): Promise<readonly { action: string; after: unknown }[]> {
  const page = await all.service.services.stores.audit.page(all.accountId, {
    limit: 500,
    beforeId: null,
  });
  return page.items.filter(({ actor }) => actor.name === email);
}

describe('people whom the provider knows', () => {
  it('people of a provider become members at their first sign-in, and stay the same members', async () => {
    const { subject, email } = addPerson(all);
    const first = await signInAt(all, 'company', subject, '?next=/monitors%3Ftag%3Da');
    expect(first.status).toBe(303);
    expect(first.headers['location']).toBe('/monitors?tag=a');
    const { user } = await whoAmI(first.headers);
    expect(user).toMatchObject({ email, role: 'viewer' });
    const again = await whoAmI((await signInAt(all, 'company', subject)).headers);
    expect(again.user.id).toBe(user.id);
    expect((await auditOf(email)).map(({ action }) => action).sort()).toEqual([
      'member.create',
      'session.open',
      'session.open',
    ]);
  });

  it('people of a provider get the highest mapped role, which follows the provider at each sign-in', async () => {
    const { subject, email } = addPerson(all, { groups: ['kw-editors', 'kw-admins', 'others'] });
    const first = await whoAmI((await signInAt(all, 'roles', subject)).headers);
    expect(first.user.role).toBe('admin');
    all.provider.people.set(subject, { email, email_verified: true, groups: ['kw-editors'] });
    const later = await whoAmI((await signInAt(all, 'roles', subject)).headers);
    expect(later.user).toMatchObject({ id: first.user.id, role: 'editor' });
    expect(await auditOf(email)).toContainEqual(
      expect.objectContaining({ action: 'member.update', after: { role: 'editor' } }),
    );
  });

  it('people of a provider are matched by a verified email address, and the last owner stays owner', async () => {
    const { subject } = addPerson(all, { email: OWNER, groups: ['kw-editors'] });
    const session = await whoAmI((await signInAt(all, 'roles', subject)).headers);
    expect(session.user).toMatchObject({ email: OWNER, role: 'owner' });
  });

  it('people of a provider get the role of their invitation, which then stops working', async () => {
    const { subject, email } = addPerson(all);
    const { stores, newId, clock } = all.service.services;
    const id = newId('invitation');
    await stores.invitations.create(all.accountId, {
      id,
      accountId: all.accountId,
      email,
      role: 'editor',
      hash: id,
      createdBy: null,
      createdAtMs: clock.now(),
      expiresAtMs: clock.now() + 60_000,
    });
    const session = await whoAmI((await signInAt(all, 'invited', subject)).headers);
    expect(session.user).toMatchObject({ email, role: 'editor' });
    expect(await stores.invitations.find(all.accountId, id)).toBeNull();
  });

  it('people of a provider get a new session id, even if the browser sends a cookie', async () => {
    const { subject } = addPerson(all);
    const planted = 'A'.repeat(43);
    const begun = await begin(all, 'company');
    const back = await all.provider.visit(begun.location, subject);
    const response = await comeBack(all, back, `${begun.cookie}; ${SESSION}=${planted}`);
    expect(readCookie(response.headers, SESSION)).not.toContain(planted);
    const fixed = request(all.service.app)
      .get('/v1/session')
      .set('Cookie', `${SESSION}=${planted}`);
    expect((await fixed).status).toBe(401);
  });

  it.each([
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/.//evil.example/', '/'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['javascript:alert(1)', '/'],
    ['/checks?a=b#c', '/checks?a=b#c'],
  ])('people of a provider are sent to a page of this service only: %s', async (next, expected) => {
    const { subject } = addPerson(all);
    const response = await signInAt(all, 'company', subject, `?next=${encodeURIComponent(next)}`);
    expect(response.headers['location']).toBe(expected);
  });
});

/** A sign-in with one fault: the change, the provider (`at`), and the reason that is shown. */
interface Wrong {
  readonly at?: string;
  readonly claims?: Claims;
  readonly alter?: (claims: Claims) => Claims;
  readonly header?: Claims;
  /** The ID token is not signed, or signed with a wrong key. */
  readonly signed?: 'by-nobody' | 'by-another';
  readonly back?: (url: URL) => void;
  readonly cookie?: (cookie: string) => string;
  readonly before?: (url: URL, cookie: string) => Promise<unknown>;
  readonly override?: readonly [path: string, status: number, body: string];
  readonly reason: string;
}

const nowSeconds = () => Math.floor(all.service.clock.nowMs / 1000);
const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const WRONG: Readonly<Record<string, Wrong>> = {
  'another state': {
    back: (url) => url.searchParams.set('state', 'x'.repeat(43)),
    reason: 'flow_lost',
  },
  'no state': { back: (url) => url.searchParams.delete('state'), reason: 'flow_lost' },
  'no cookie': { cookie: () => '', reason: 'flow_lost' },
  'the cookie of another browser': {
    cookie: () => `keepwatch_sign_in=${'B'.repeat(43)}`,
    reason: 'flow_lost',
  },
  'the callback of another provider': {
    back: (url) => {
      url.pathname = url.pathname.replace('/company/', '/domain/');
    },
    reason: 'flow_lost',
  },
  'the same response twice': {
    before: (url, cookie) => comeBack(all, url.href, cookie),
    reason: 'flow_lost',
  },
  'a sign-in that took too long': {
    before: async () => {
      all.service.clock.nowMs += 11 * 60_000;
    },
    reason: 'flow_lost',
  },
  'no code': { back: (url) => url.searchParams.delete('code'), reason: 'provider_refused' },
  'a made-up code': {
    back: (url) => url.searchParams.set('code', 'made-up'),
    reason: 'provider_refused',
  },
  'an error of the provider': {
    back: (url) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'server_error');
    },
    reason: 'provider_refused',
  },
  'a person who declines': {
    back: (url) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
    },
    reason: 'declined',
  },
  'a response of another issuer': {
    back: (url) => url.searchParams.set('iss', 'https://evil.example'),
    reason: 'provider_refused',
  },
  'a response without its issuer': {
    back: (url) => url.searchParams.delete('iss'),
    reason: 'provider_refused',
  },
  'another nonce': {
    alter: (claims) => ({ ...claims, nonce: 'another' }),
    reason: 'provider_refused',
  },
  'no nonce': { alter: ({ nonce: _nonce, ...claims }) => claims, reason: 'provider_refused' },
  'a token for another client': {
    alter: (claims) => ({ ...claims, aud: 'another' }),
    reason: 'provider_refused',
  },
  'a token that another client got': {
    alter: (claims) => ({ ...claims, aud: ['keepwatch', 'another'], azp: 'another' }),
    reason: 'provider_refused',
  },
  'a token of another issuer': {
    alter: (claims) => ({ ...claims, iss: 'https://evil.example' }),
    reason: 'provider_refused',
  },
  'an expired token': {
    alter: (claims) => ({ ...claims, exp: nowSeconds() - 120 }),
    reason: 'provider_refused',
  },
  'a token without expiry': {
    alter: ({ exp: _exp, ...claims }) => claims,
    reason: 'provider_refused',
  },
  'a token that is not valid yet': {
    alter: (claims) => ({ ...claims, nbf: nowSeconds() + 600 }),
    reason: 'provider_refused',
  },
  'a token without subject': {
    alter: ({ sub: _sub, ...claims }) => claims,
    reason: 'provider_refused',
  },
  'a token for another person than its user info': {
    alter: (claims) => ({ ...claims, sub: 'someone-else' }),
    reason: 'provider_refused',
  },
  'an unsigned token (alg none)': {
    header: { alg: 'none' },
    signed: 'by-nobody',
    reason: 'provider_refused',
  },
  'a token signed with HMAC': { header: { alg: 'HS256' }, reason: 'provider_refused' },
  'a token signed by another key': { signed: 'by-another', reason: 'provider_refused' },
  'a token signed by a key that the provider has removed': {
    header: { kid: 'removed' },
    reason: 'provider_refused',
  },
  'a wrong client secret': { at: 'impostor', reason: 'provider_refused' },
  'an unverified address in an allowed domain': {
    at: 'domain',
    claims: { email_verified: false },
    reason: 'email_unverified',
  },
  'an address in another domain': {
    at: 'domain',
    claims: { email: 'ann@other.example' },
    reason: 'domain_not_allowed',
  },
  'an unverified address of a member': {
    claims: { email: OWNER, email_verified: false },
    reason: 'connect_first',
  },
  'no address': { claims: { email: undefined }, reason: 'claims_incomplete' },
  'no role': { at: 'roles', claims: { groups: ['others'] }, reason: 'role_missing' },
  'no invitation': { at: 'invited', reason: 'not_invited' },
  'a token endpoint that is down': { override: ['/token', 503, ''], reason: 'provider_away' },
  'keys that cannot be read': { override: ['/jwks', 500, ''], reason: 'provider_away' },
  'a token endpoint that redirects': { override: ['/token', 302, ''], reason: 'provider_refused' },
  'user info that is not JSON': { override: ['/me', 200, '<html>'], reason: 'provider_refused' },
  'a description of another issuer': {
    override: ['/.well-known/openid-configuration', 200, '{"issuer":"https://evil.example"}'],
    reason: 'provider_away',
  },
};

it.each(Object.entries(WRONG))('a sign-in with %s is refused', async (_name, wrong) => {
  const { subject } = addPerson(all, wrong.claims);
  const { alter = (claims: Claims) => claims, header = {}, signed } = wrong;
  if (wrong.alter !== undefined || wrong.header !== undefined || signed !== undefined) {
    const key = signed === 'by-nobody' ? null : signed === 'by-another' ? another : undefined;
    all.provider.alterToken = (claims) => ({
      claims: alter(claims),
      header,
      ...(key !== undefined && { key }),
    });
  }
  const begun = await begin(all, wrong.at ?? 'company');
  const back = new URL(await all.provider.visit(begun.location, subject));
  if (wrong.override !== undefined) {
    const [path, status, body] = wrong.override;
    all.provider.overrides.set(path, (_request, response) =>
      response
        .writeHead(status, { location: '/elsewhere', 'content-type': 'application/json' })
        .end(body),
    );
  }
  await wrong.before?.(back, begun.cookie);
  wrong.back?.(back);
  const response = await comeBack(all, back.href, wrong.cookie?.(begun.cookie) ?? begun.cookie);
  expect({ status: response.status, reason: readFailure(response.headers) }).toEqual({
    status: 303,
    reason: wrong.reason,
  });
  expect(readCookie(response.headers, SESSION)).toBeNull();
  const { identities } = all.service.services.stores;
  if (wrong.before === undefined)
    expect(await identities.find(all.provider.url, subject)).toBeNull();
});

it('a sign-in through a provider that is away returns to the sign-in page', async () => {
  const { location, cookie } = await begin(all, 'away', '?next=/checks');
  expect(location).toBe('/login?failed=provider_away&next=%2Fchecks');
  expect(cookie).toBe('');
});

it('a sign-in succeeds if the clocks of provider and service differ by a minute', async () => {
  const { subject } = addPerson(all);
  all.provider.alterToken = (claims) => ({ claims: { ...claims, exp: nowSeconds() - 50 } });
  expect(readFailure((await signInAt(all, 'company', subject)).headers)).toBeNull();
});

it('the provider gets a code challenge, a nonce and a state, and never a secret in a URL', async () => {
  const { location } = await begin(all, 'company');
  const asked = Object.fromEntries(new URL(location).searchParams);
  expect(asked).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(location).not.toContain('secret');
});

describe('back-channel logout', () => {
  const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
  let count = 0;

  function claimsFor(subject: string, more: Claims = {}): Claims {
    const iat = nowSeconds();
    count += 1;
    const times = { iat, exp: iat + 120, jti: `token-${count}` };
    return {
      iss: all.provider.url,
      aud: 'keepwatch',
      sub: subject,
      ...times,
      events: { [EVENT]: {} },
      ...more,
    };
  }

  function send(token: string, id = 'company') {
    return request(all.service.app)
      .post(`/v1/sign-in/oidc/${id}/logout`)
      .type('form')
      .send({ logout_token: token });
  }

  async function signedIn() {
    const { subject, email } = addPerson(all);
    const response = await signInAt(all, 'company', subject);
    const cookie = readCookie(response.headers, SESSION) ?? '';
    const isOpen = async () =>
      (await request(all.service.app).get('/v1/session').set('Cookie', cookie)).status === 200;
    expect(await isOpen()).toBe(true);
    return { subject, email, isOpen };
  }

  const LOGOUT = { typ: 'logout+jwt' };

  it('back-channel logout ends the sessions of the person at once, and is in the audit trail', async () => {
    const { subject, email, isOpen } = await signedIn();
    const other = await signedIn();
    expect((await send(all.provider.sign(claimsFor(subject), LOGOUT))).status).toBe(200);
    expect([await isOpen(), await other.isOpen()]).toEqual([false, true]);
    expect(await auditOf(email)).toContainEqual(
      expect.objectContaining({ action: 'session.close', after: { by: 'company' } }),
    );
  });

  it.each<[string, Claims, Claims?, ('by-nobody' | 'by-another')?]>([
    ['with a nonce', { nonce: 'x' }],
    ['without the event', { events: {} }],
    ['for another client', { aud: 'another' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without a person or session', { sub: undefined }],
    ['without an id', { jti: undefined }],
    ['that has expired', { exp: 1 }],
    ['that is old', { iat: 1 }],
    ['of another type', {}, { typ: 'JWT' }],
    ['that is unsigned', {}, { alg: 'none' }, 'by-nobody'],
    ['that is forged', {}, {}, 'by-another'],
  ])('back-channel logout refuses a token %s', async (_name, more, header = {}, signed) => {
    const { subject, isOpen } = await signedIn();
    const key = signed === 'by-nobody' ? null : signed === 'by-another' ? another : undefined;
    const response = await send(
      all.provider.sign(claimsFor(subject, more), { ...LOGOUT, ...header }, key),
    );
    expect(response.body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await isOpen()).toBe(true);
  });

  it('back-channel logout refuses a token the second time', async () => {
    const { subject } = await signedIn();
    const token = all.provider.sign(claimsFor(subject), LOGOUT);
    expect((await send(token)).status).toBe(200);
    expect((await send(token)).body.detail).toContain('used before');
  });

  it('back-channel logout responds with 503 while the keys of the provider cannot be read', async () => {
    const { subject } = await signedIn();
    all.provider.overrides.set('/jwks', (_request, response) => response.writeHead(500).end());
    expect((await send(all.provider.sign(claimsFor(subject), LOGOUT))).status).toBe(503);
  });

  it('back-channel logout refuses a body that is not a form', async () => {
    const response = await request(all.service.app)
      .post('/v1/sign-in/oidc/company/logout')
      .send({ logout_token: 'x' });
    expect(response.status).toBe(415);
  });
});

describe('a person who is signed in', () => {
  async function signIn() {
    const { subject, email } = addPerson(all);
    const cookie = readCookie((await signInAt(all, 'company', subject)).headers, SESSION) ?? '';
    const as = (method: 'get' | 'post' | 'delete', path: string) =>
      request(all.service.app)[method](path).set({ Cookie: cookie, Origin: PUBLIC_URL });
    return { subject, email, cookie, as };
  }

  it('a person cannot disconnect the provider that is the last way to sign in', async () => {
    const { as } = await signIn();
    const response = await as('delete', '/v1/session/identities/company');
    expect(response.body).toMatchObject({ status: 409, code: 'in_use' });
  });

  it('a signed-in person connects a provider, even with an unverified address', async () => {
    const { stores } = all.service.services;
    const owner = await request(all.service.app)
      .post('/v1/session')
      .send({ email: OWNER, password: PASSWORD });
    const cookie = readCookie(owner.headers, SESSION) ?? '';
    const { subject } = addPerson(all, { email: OWNER, email_verified: false });
    expect(readFailure((await signInAt(all, 'company', subject)).headers)).toBe('connect_first');
    const asked = await request(all.service.app)
      .post('/v1/session/identities')
      .set({ Cookie: cookie, Origin: PUBLIC_URL })
      .send({ provider: 'company' });
    expect(asked.status).toBe(200);
    const flow = readCookie(asked.headers, 'keepwatch_sign_in') ?? '';
    const back = await all.provider.visit(asked.body.url, subject);
    // Another person at the same browser cannot finish the flow.
    const stolen = await comeBack(all, back, flow);
    expect(readFailure(stolen.headers)).toBe('flow_lost');
    const again = await request(all.service.app)
      .post('/v1/session/identities')
      .set({ Cookie: cookie, Origin: PUBLIC_URL })
      .send({ provider: 'company' });
    const way = await all.provider.visit(again.body.url, subject);
    const done = await comeBack(
      all,
      way,
      `${readCookie(again.headers, 'keepwatch_sign_in')}; ${cookie}`,
    );
    expect(done.headers['location']).toBe('/settings/factors');
    const session = await whoAmI((await signInAt(all, 'company', subject)).headers);
    expect(session.user.email).toBe(OWNER);
    const { personId } = (await stores.identities.find(all.provider.url, subject)) ?? {};
    expect(personId).toBeDefined();
  });

  it('a person cannot connect a provider if they proved their identity too long ago or the request is from another site', async () => {
    const { as, cookie } = await signIn();
    all.service.clock.nowMs += 16 * 60_000;
    const late = await as('post', '/v1/session/identities').send({ provider: 'company' });
    expect(late.body).toMatchObject({ status: 403, code: 'proof_required' });
    const foreign = await request(all.service.app)
      .post('/v1/session/identities')
      .set({ Cookie: cookie, Origin: 'https://evil.example' })
      .send({ provider: 'company' });
    expect(foreign.status).toBe(403);
  });
});
