/**
 * Tests protection against guessing of passwords, keys and tokens, against session fixation and against cross-site
 * requests. Every route that accepts credentials other than an API key or a session slows down guesses, and counts them
 * in the database. The tests fail if the table below lacks such a route.
 */
import request, { type Test } from 'supertest';
import { ROUTES } from '../../../src/api/v1/route-table';
import { createPasskeys } from '../../../src/platform/sign-in/passkeys';
import type { SignInProvider } from '../../../src/platform/sign-in/provider';
import { statusPageBody } from '../../../src/schemas/status-pages/status-page';
import { newApiKey } from '../../../src/services/accounts/api-key-format';
import { listLoginCounters } from '../../../src/services/accounts/login-throttle';
import { newObject } from '../../../src/services/objects/object-verbs';
import { STATUS_PAGES } from '../../../src/services/status-pages/status-pages';
import { newId } from '../../models/example-records';
import { manyTimes } from '../../support/many-times';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { pathsOf } from '../routing/paths-of';
import {
  accountOfEach,
  openTestService,
  PUBLIC_URL,
  SETUP_TOKEN,
  suiteService,
} from '../test-service';

const service = suiteService({ registration: 'open' }, { trustedProxies: 1 });
const account = accountOfEach(service);
let owner: TestPerson;

beforeEach(async () => {
  await service.database.database.models.failedSignIns.deleteMany({});
  owner = await personOf(service, account.id, 'owner');
});

/** Sends a login from the IP address, through one trusted proxy. */
function login(password: string, address: string, email = owner.email) {
  return request(service.app)
    .post('/v1/session')
    .set('X-Forwarded-For', address)
    .send({ email, password });
}

/**
 * The counters that a login from an IP address increases: three networks from the smallest to the largest, then the
 * person.
 */
type Counted = 'network' | 'site' | 'large' | 'person';
const COUNTED: readonly Counted[] = ['network', 'site', 'large', 'person'];

/** Stores the count that would follow from this number of wrong logins. */
async function putTries(counted: Counted, address: string, tries: number): Promise<void> {
  const marks = listLoginCounters(owner.email, address);
  const mark = counted === 'person' ? marks.at(-1) : marks[COUNTED.indexOf(counted)];
  if (mark === undefined) throw new Error(`no ${counted} is counted for ${address}`);
  const expiresAtMs = service.clock.nowMs + mark.rule.forgetAfterMs;
  const put = { id: mark.id, tries, notBeforeMs: 0, expiresAtMs };
  expect(await service.services.stores.failedSignIns.replace(put, null)).toBe(true);
}

/** From each IP address, sends a wrong login for a different person. Returns the statuses. */
async function guess(addresses: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const [index, address] of addresses.entries())
    statuses.push((await login('wrong', address, `person${index}@example.com`)).status);
  return statuses;
}

const ofCount = (count: number, addressAt: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_item, index) => addressAt(index));

it('wrong passwords delay logins from their IP address, but not the owner at another address', async () => {
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries += 1)
    statuses.push((await login('wrong', '203.0.113.7')).status);
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(statuses.slice(6)).toEqual([429, 429, 429, 429, 429, 429]);
  const right = await login(PASSWORD, '203.0.113.7');
  expect(right.body).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(right.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect((await login(PASSWORD, '198.51.100.4')).status).toBe(201);
});

it('a login waits at most a minute, even after many wrong passwords from the same IP address', async () => {
  await putTries('person', '203.0.113.7', 95);
  for (let tries = 0; tries < 5; tries += 1) {
    await login('wrong', '203.0.113.7');
    service.clock.nowMs += 10_000;
  }
  service.clock.nowMs += 60_000;
  expect((await login(PASSWORD, '203.0.113.7')).status).toBe(201);
});

it('ten parallel wrong logins get no more tries than ten consecutive wrong logins', async () => {
  const answers = await manyTimes(60, async () => login('wrong', '203.0.113.9'));
  // A login that timed out on a busy machine also counts as a try.
  const tried = answers.filter(({ status }) => status !== 429);
  expect(tried.length).toBeGreaterThan(0);
  expect(tried.length).toBeLessThanOrEqual(7);
  expect(tried.every(({ status }) => status === 401 || status === 503)).toBe(true);
});

it('wrong logins for many people from one IP address are throttled, and IPv6 addresses are counted per network', async () => {
  const addressAt = (index: number) => `2001:db8:1:2::${index.toString(16)}`;
  await putTries('network', addressAt(0), 18);
  const statuses = await guess(ofCount(8, addressAt));
  expect(statuses).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
  expect((await login(PASSWORD, '2001:db8:1:3::1')).status).toBe(201);
});

it('an IPv6 site (/48) may try three times as often as a single network, and a larger network ten times as often', async () => {
  const inSite = (index: number) => `2001:db8:1:${index.toString(16)}::1`;
  await putTries('site', inSite(0), 58);
  expect(await guess(ofCount(5, inSite))).toEqual([401, 401, 401, 429, 429]);
  const otherSiteAt = (index: number) => inSite(0x200 + index * 0x100);
  expect(await guess(ofCount(1, otherSiteAt))).toEqual([401]);
  await service.database.database.models.failedSignIns.deleteMany({});
  await putTries('large', otherSiteAt(0), 198);
  expect(await guess(ofCount(5, otherSiteAt))).toEqual([401, 401, 401, 429, 429]);
  expect((await login(PASSWORD, '2001:db8:2::1')).status).toBe(201);
});

it('wrong logins for one person from many networks are delayed, but the person can still log in', async () => {
  for (let tries = 0; tries < 30; tries += 1)
    expect((await login('wrong', `203.0.113.${tries}`)).status).toBe(401);
  const beganMs = service.clock.nowMs;
  await login('wrong', '198.51.100.200');
  expect(service.clock.nowMs - beganMs).toBe(1_500);
  expect((await login(PASSWORD, '198.51.100.201')).status).toBe(201);
});

it('an IP address that sends many wrong API keys is throttled, but requests with a valid key are not', async () => {
  const unknown = newApiKey(service.services.randomBytes);
  const ask = (key: string) =>
    request(service.app).get('/v1/account').set('Authorization', `Bearer ${key}`);
  const answers = await manyTimes(90, async () => ask(unknown));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(25);
  expect(refused[0]?.headers['retry-after']).toBeDefined();
  expect((await ask(account.key)).status).toBe(200);
});

it('wrong tokens of links and of the set-up are throttled', async () => {
  const { users } = service.database.database.models;
  await users.deleteMany({});
  const guesses = {
    '/v1/invitations/accept': { token: 'x', password: PASSWORD },
    '/v1/password/reset': { token: 'x', password: PASSWORD },
    '/v1/setup': {
      setupToken: `${SETUP_TOKEN}x`,
      accountName: 'x',
      email: 'x@example.com',
      password: PASSWORD,
    },
  };
  for (const [path, body] of Object.entries(guesses)) {
    const statuses: number[] = [];
    for (let tries = 0; tries < 25; tries += 1)
      statuses.push((await request(service.app).post(path).send(body)).status);
    expect(statuses.at(-1)).toBe(429);
  }
});

it('an IP address in X-Forwarded-For counts only if it comes through a trusted proxy', async () => {
  const direct = await openTestService();
  const { id } = await direct.newAccount();
  const { email } = await personOf(direct, id, 'owner');
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries += 1) {
    const tried = request(direct.app).post('/v1/session').send({ email, password: 'wrong' });
    statuses.push((await tried.set('X-Forwarded-For', `203.0.113.${tries}`)).status);
  }
  await direct.close();
  expect(statuses.at(-1)).toBe(429);
});

it('a login gives a new session id, even if the browser sends a cookie', async () => {
  const planted = 'A'.repeat(43);
  const answer = await request(service.app)
    .post('/v1/session')
    .set('Cookie', `keepwatch_session=${planted}`)
    .send({ email: owner.email, password: PASSWORD });
  expect(String(answer.headers['set-cookie'])).not.toContain(planted);
  const fixed = await request(service.app)
    .get('/v1/session')
    .set('Cookie', `keepwatch_session=${planted}`);
  expect(fixed.status).toBe(401);
});

it('every login route and every write refuses a request that another site makes a browser send', async () => {
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  const wayIn = { token: 'x', password: PASSWORD };
  for (const [path, body] of [
    ['/v1/session', { email: owner.email, password: PASSWORD }],
    ['/v1/invitations/accept', wayIn],
    ['/v1/password/reset', wayIn],
  ] as const) {
    const answer = await request(service.app).post(path).set(foreign).send(body);
    expect(answer.status).toBe(403);
  }
  const write = (headers: Record<string, string>, body: string) =>
    request(service.app)
      .post('/v1/api-keys')
      .set({ Cookie: owner.cookie, ...headers })
      .send(body);
  const forged = await write({ ...foreign, 'Content-Type': 'application/json' }, '{"name":"x"}');
  expect(forged.status).toBe(403);
  const form = { Origin: PUBLIC_URL, 'Content-Type': 'text/plain' };
  expect((await write(form, '{"name":"x"}')).status).toBe(415);
});

describe('routes that accept credentials without a session or an API key', () => {
  const settings = {
    id: 'sso',
    name: 'SSO',
    protocol: 'oidc',
    issuer: 'https://sso.example',
    clientId: 'keepwatch',
    clientSecret: null,
    scopes: [],
    accountId: null,
    rules: {
      roleClaim: null,
      roles: new Map(),
      defaultRole: null,
      allowedDomains: [],
      domainClaim: null,
      areEmailsTrusted: false,
      isSecondFactorTrusted: false,
    },
  } as const;
  const refusal = { kind: 'refused', reason: 'no valid token' } as const;
  const sso: SignInProvider = {
    settings,
    issuer: settings.issuer,
    start: async () => ({ kind: 'redirect', url: settings.issuer }),
    finish: async () => refusal,
    readLogoutToken: async () => refusal,
  };
  const passkeys = createPasskeys('http://localhost');
  // This service has not been set up yet.
  const service = suiteService(
    { registration: 'open', signIn: { passwords: 'on', providers: [sso], passkeys } },
    { trustedProxies: 1 },
  );
  /** Number of tries that is added to the count after the first try. */
  const PUT_TRIES = 57;
  /**
   * Upper bound of tries before the delay, if the count was raised by PUT_TRIES. Without the raise, this number of
   * tries would not be delayed.
   */
  const TRIES_MAX = 6;
  const PASSWORD = 'a-long-password-for-tests';
  const TOKEN = 't'.repeat(43);

  type Guess = (index: number) => Test;

  beforeAll(async () => {
    const { services } = service;
    const passwordHash = await services.passwords.hash('another-password');
    for (const [slug, access] of [
      ['locked', { type: 'password', passwordHash }],
      ['open', { type: 'public' }],
    ] as const) {
      const subscribers = { mail: false, webhook: true, slack: false };
      const body = statusPageBody.parse({ slug, title: slug, isPublic: true, subscribers });
      const made = newObject(services, STATUS_PAGES, newId('account'));
      const page = { ...body, ...made, access, domains: [] };
      await services.stores.statusPages.create(page.accountId, page);
    }
  });

  const post =
    (path: string, body: (index: number) => object): Guess =>
    (index) =>
      request(service.app).post(path).set('Origin', PUBLIC_URL).send(body(index));
  const form =
    (path: string, fields: (index: number) => object): Guess =>
    (index) =>
      request(service.app).post(path).type('form').send(fields(index));
  const probe =
    (method: 'get' | 'post', path: string): Guess =>
    () =>
      request(service.app)
        [method](path)
        .set('Authorization', `Bearer ${TOKEN}`)
        .set('X-Keepwatch-Region', 'eu-west')
        .set('X-Keepwatch-Probe-Key', 'local');

  /** For each route that accepts credentials, a function that sends a wrong guess. */
  const GUESSED: Readonly<Record<string, Guess>> = {
    'POST /v1/setup': post('/v1/setup', () => ({
      setupToken: TOKEN,
      accountName: 'Mine',
      email: 'a@example.com',
      password: PASSWORD,
    })),
    'POST /v1/session': post('/v1/session', () => ({ email: 'a@example.com', password: PASSWORD })),
    'POST /v1/invitations/accept': post('/v1/invitations/accept', () => ({
      token: TOKEN,
      password: PASSWORD,
    })),
    'POST /v1/password/reset-request': post('/v1/password/reset-request', (index) => ({
      email: `a${index}@example.com`,
    })),
    'POST /v1/registrations': post('/v1/registrations', (index) => ({
      email: `a${index}@example.com`,
      accountName: 'x',
    })),
    'POST /v1/registrations/confirm': post('/v1/registrations/confirm', () => ({ token: TOKEN })),
    'POST /v1/password/reset': post('/v1/password/reset', () => ({
      token: TOKEN,
      password: PASSWORD,
    })),
    'POST /v1/session/second-factor': post('/v1/session/second-factor', () => ({
      token: TOKEN,
      code: '123456',
    })),
    'POST /v1/sign-in/passkey/options': post('/v1/sign-in/passkey/options', () => ({})),
    'POST /v1/sign-in/passkey/verify': post('/v1/sign-in/passkey/verify', () => ({
      token: TOKEN,
      response: { id: 'x' },
    })),
    'POST /v1/sign-in/owner-link': post('/v1/sign-in/owner-link', () => ({ token: TOKEN })),
    'GET /v1/sign-in/oidc/:providerId/start': () =>
      request(service.app).get('/v1/sign-in/oidc/sso/start'),
    'GET /v1/sign-in/oidc/:providerId/callback': () =>
      request(service.app).get('/v1/sign-in/oidc/sso/callback?code=x&state=y'),
    'POST /v1/sign-in/oidc/:providerId/logout': form('/v1/sign-in/oidc/sso/logout', () => ({
      logout_token: TOKEN,
    })),
    'POST /v1/pipelines/:pipelineId/keys': post(`/v1/pipelines/pip_${'0'.repeat(26)}/keys`, () => ({
      token: TOKEN,
    })),
    'POST /v1/incidents/acknowledge': post('/v1/incidents/acknowledge', () => ({ token: TOKEN })),
    'POST /acknowledge': () =>
      request(service.app).post('/acknowledge').type('form').send({ token: TOKEN }),
    'ALL /hooks/:channelId': post(`/hooks/chn_${'0'.repeat(26)}`, () => ({})),
    'POST /status/:slug': form('/status/locked', () => ({ password: PASSWORD })),
    'POST /status/:slug/subscribe': form('/status/open/subscribe', (index) => ({
      type: 'webhook',
      to: `https://example.com/${index}`,
    })),
    'POST /status/:slug/subscription': form(`/status/open/subscription?token=${TOKEN}`, () => ({
      do: 'end',
    })),
    'GET /metrics': () =>
      request(service.app).get('/metrics').set('Authorization', `Bearer ${TOKEN}`),
    'POST /ping/:token': post(`/ping/${TOKEN}`, () => ({})),
    'any route with a key': () =>
      request(service.app)
        .get('/v1/monitors')
        .set('Authorization', `Bearer ${newApiKey((count) => Buffer.alloc(count, 7))}`),
  };

  /** One function authenticates all of these paths. */
  const PROBE_PATH = /^\/internal\/probe\//;
  /** Public routes, and routes that need a key or a session in the same way as `any route with a key`. */
  const OPEN =
    /^(?:GET \/v1\/(?:setup|sign-in\/options|openapi\.json|schema\.json)|(?:GET|HEAD|ALL) \/(?:|healthz|readyz|livez|docs|login|welcome|invitation|reset-password|owner-link|sign-in\.js|acknowledge|setup|status|badges|robots\.txt|favicon).*|POST \/(?:internal\/codec\/decode|\.well-known\/keepwatch-domain))$/;

  /** Sends guesses until one is delayed, and returns their statuses. Raises the counts after the first guess. */
  async function guessOn(guess: Guess): Promise<readonly number[]> {
    const { failedSignIns } = service.database.database.models;
    await failedSignIns.deleteMany({});
    const statuses = [(await guess(0)).status];
    await failedSignIns.updateMany({}, { $inc: { tries: PUT_TRIES } });
    for (let index = 1; index < TRIES_MAX && statuses.at(-1) !== 429; index += 1)
      statuses.push((await guess(index)).status);
    return statuses;
  }

  test.each(Object.entries(GUESSED))(
    'wrong credentials are throttled on the route %s',
    async (_, guess) => {
      const statuses = await guessOn(guess);
      expect(statuses.at(-1)).toBe(429);
      expect(statuses.length).toBeGreaterThan(1);
    },
  );

  test('wrong keys of probes are throttled on every path of probes', async () => {
    const paths = pathsOf(service.appWith({})).filter(({ path }) => PROBE_PATH.test(path));
    expect(paths.length).toBeGreaterThan(3);
    for (const { method, path } of paths) {
      const guess = probe(method === 'POST' ? 'post' : 'get', path.replaceAll(/:\w+/g, '1'));
      const statuses = await guessOn(guess);
      expect([path, statuses[0], statuses.at(-1)]).toEqual([path, 401, 429]);
    }
  });

  test('every route is in the table of throttled routes, needs a key or a session, or is public', () => {
    const withKey = new Set(
      ROUTES.filter(({ scope }) => scope !== 'public').map(
        ({ method, path }) => `${method} ${path}`,
      ),
    );
    const ways = pathsOf(service.appWith({}))
      .map(({ method, path }) => `${method} ${path}`)
      // Leaves out the handlers that respond to all other methods on paths of `/v1`.
      .filter((way) => !PROBE_PATH.test(way.split(' ')[1] ?? '') && !way.startsWith('ALL /v1/'));
    const unknown = ways.filter((way) => !withKey.has(way) && !OPEN.test(way) && !(way in GUESSED));
    expect(unknown).toEqual([]);
    const publicWays = ROUTES.filter(({ scope }) => scope === 'public').map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(publicWays.filter((way) => !(way in GUESSED) && !OPEN.test(way))).toEqual([]);
  });
});
