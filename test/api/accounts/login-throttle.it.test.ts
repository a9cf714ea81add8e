/** Guessing passwords, keys and tokens; fixed sessions; requests that other sites send. */
import request from 'supertest';
import { newApiKey } from '../../../src/services/accounts/api-key-format';
import { manyTimes } from '../../support/many-times';
import { PASSWORD, personOf, type TestPerson } from '../people';
import {
  openTestService,
  PUBLIC_URL,
  SETUP_TOKEN,
  type TestAccount,
  type TestService,
} from '../test-service';

let service: TestService;
let account: TestAccount;
let owner: TestPerson;

beforeEach(async () => {
  service = await openTestService({}, { trustedProxies: 1 });
  account = await service.newAccount();
  owner = await personOf(service, account.id, 'owner');
});
afterEach(() => service.close());

/** As it comes through one proxy that is trusted. */
function login(password: string, address: string, email = owner.email) {
  return request(service.app)
    .post('/v1/session')
    .set('X-Forwarded-For', address)
    .send({ email, password });
}

it('wrong passwords make their address wait longer and longer, and the owner elsewhere comes in at once', async () => {
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

it('nobody waits longer than a minute, however often somebody guessed from the same address', async () => {
  for (let tries = 0; tries < 100; tries += 1) {
    await login('wrong', '203.0.113.7');
    service.clock.nowMs += 10_000;
  }
  service.clock.nowMs += 60_000;
  expect((await login(PASSWORD, '203.0.113.7')).status).toBe(201);
});

it('hundreds of guesses, ten at once, get no more tries than one after the other', async () => {
  const answers = await manyTimes(200, async () => login('wrong', '203.0.113.9'));
  // A try that a busy machine did not finish in time was one all the same.
  const tried = answers.filter(({ status }) => status !== 429);
  expect(tried.length).toBeGreaterThan(0);
  expect(tried.length).toBeLessThanOrEqual(7);
  expect(tried.every(({ status }) => status === 401 || status === 503)).toBe(true);
});

it('guesses at many people from one address end as well, and IPv6 addresses count by their network', async () => {
  const statuses: number[] = [];
  for (let tries = 0; tries < 40; tries += 1) {
    const address = `2001:db8:1:2::${tries.toString(16)}`;
    statuses.push((await login('wrong', address, `person${tries}@example.com`)).status);
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(22);
  expect((await login(PASSWORD, '2001:db8:1:3::1')).status).toBe(201);
});

it('a whole site of IPv6 networks gets three times the tries of one, and a larger network ten times', async () => {
  const tryFrom = async (address: string, tries: number) =>
    (await login('wrong', address, `person${tries}@example.com`)).status;
  const site: number[] = [];
  for (let tries = 0; tries < 80; tries += 1)
    site.push(await tryFrom(`2001:db8:1:${tries.toString(16)}::1`, tries));
  expect(site.filter((status) => status === 401).length).toBeLessThanOrEqual(62);
  expect(site.at(-1)).toBe(429);
  expect(await tryFrom('2001:db8:1:ff01::1', 1_000)).toBe(401);
  const large: number[] = [];
  for (let tries = 0; tries < 160; tries += 1)
    large.push(await tryFrom(`2001:db8:1:${(0x200 + tries * 0x100).toString(16)}::1`, tries));
  expect(large.at(-1)).toBe(429);
  expect((await login(PASSWORD, '2001:db8:2::1')).status).toBe(201);
});

it('guesses at one person from everywhere are answered late, and refuse nobody', async () => {
  for (let tries = 0; tries < 30; tries += 1)
    expect((await login('wrong', `203.0.113.${tries}`)).status).toBe(401);
  const beganMs = service.clock.nowMs;
  await login('wrong', '198.51.100.200');
  expect(service.clock.nowMs - beganMs).toBe(1_500);
  expect((await login(PASSWORD, '198.51.100.201')).status).toBe(201);
});

it('unknown keys make their address wait, and a known key from there goes on', async () => {
  const unknown = newApiKey(service.services.randomBytes);
  const ask = (key: string) =>
    request(service.app).get('/v1/account').set('Authorization', `Bearer ${key}`);
  const answers = await manyTimes(90, async () => ask(unknown));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(25);
  expect(refused[0]?.headers['retry-after']).toBeDefined();
  expect((await ask(account.key)).status).toBe(200);
});

it('tokens of links and of the set-up cannot be tried for ever', async () => {
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

it('an address in X-Forwarded-For counts only as far as proxies are trusted', async () => {
  await service.close();
  service = await openTestService();
  account = await service.newAccount();
  owner = await personOf(service, account.id, 'owner');
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries += 1)
    statuses.push((await login('wrong', `203.0.113.${tries}`)).status);
  expect(statuses.at(-1)).toBe(429);
});

it('a login gives a new session id, whatever the browser brought along', async () => {
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

it('what another site makes a browser send is refused on every way in and on every write', async () => {
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
