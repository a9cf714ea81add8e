/**
 * Tests the set-up of the service, sessions and API keys, on the real application and database.
 *
 * Covers:
 * - services/accounts/principal
 * - services/sessions/authenticate
 * - services/sessions/open-session
 * - services/sessions/set-up
 * - services/sessions/sessions
 */
import request from 'supertest';
import { openTestService, PUBLIC_URL, SETUP_TOKEN, type TestService } from '../test-service';

const SETUP = {
  setupToken: SETUP_TOKEN,
  accountName: 'Example',
  email: 'Owner@Example.com',
  password: 'correct horse battery cork',
};
const LOGIN = { email: 'owner@example.com', password: SETUP.password };
const HOUR_MS = 3_600_000;

let service: TestService;

afterEach(() => service.close());

function post(path: string, body: object) {
  return request(service.app).post(path).send(body);
}

function cookieOf(answer: request.Response): string {
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return cookie;
}

describe('set-up', () => {
  beforeEach(async () => {
    service = await openTestService();
  });

  it('the set-up creates the first account, its owner, a session and an admin key that is shown once', async () => {
    expect((await request(service.app).get('/v1/setup')).body).toMatchObject({ required: true });
    const answer = await post('/v1/setup', SETUP);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      account: { name: 'Example', plan: 'business' },
      user: { email: 'owner@example.com', role: 'owner' },
      apiKey: { scopes: ['admin'], expiresAt: null, lastUsedAt: null },
    });
    const { key, prefix, last4 } = answer.body.apiKey;
    expect(key).toMatch(/^kw_[0-9A-Za-z]{38}$/);
    expect([key.startsWith(prefix), key.endsWith(last4)]).toEqual([true, true]);
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^keepwatch_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect((await request(service.app).get('/v1/setup')).body).toMatchObject({ required: false });
    const account = await request(service.app)
      .get('/v1/account')
      .set('Authorization', `Bearer ${key}`);
    expect(account.body).toMatchObject(answer.body.account);
    const stored = JSON.stringify(await service.database.database.models.apiKeys.find({}).lean());
    expect(stored).not.toContain(key);
  });

  it('the set-up succeeds only once, even if several requests arrive in parallel', async () => {
    // Each request is slow, because it hashes a password.
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        post('/v1/setup', { ...SETUP, email: `owner${index}@example.com` }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 4 }, () => 409)]);
    const late = await post('/v1/setup', SETUP);
    expect(late.body).toMatchObject({ status: 409, code: 'already_set_up' });
  });

  it('the set-up refuses a wrong token, a short password and unknown fields, and creates nothing', async () => {
    const wrong = await post('/v1/setup', { ...SETUP, setupToken: `${SETUP_TOKEN}x` });
    expect(wrong.body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(wrong.body.errors[0].path).toBe('setupToken');
    const short = await post('/v1/setup', { ...SETUP, password: 'short', plan: 'free' });
    expect(short.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'password',
      'plan',
    ]);
    expect((await request(service.app).get('/v1/setup')).body).toMatchObject({ required: true });
  });
});

describe('sessions', () => {
  let cookie: string;

  beforeEach(async () => {
    service = await openTestService();
    await post('/v1/setup', SETUP);
    cookie = cookieOf(await post('/v1/session', LOGIN));
  });

  function get(path: string, sent: string = cookie) {
    return request(service.app).get(path).set('Cookie', sent);
  }

  it('a session shows its account and person, and is invalid as soon as it is deleted', async () => {
    const who = await get('/v1/session');
    expect(who.body).toMatchObject({
      account: { name: 'Example' },
      user: { email: 'owner@example.com' },
      actor: { type: 'user' },
      scopes: ['admin'],
    });
    const ended = await request(service.app)
      .delete('/v1/session')
      .set({ Cookie: cookie, Origin: PUBLIC_URL });
    expect(ended.status).toBe(204);
    expect(ended.headers['set-cookie']?.[0]).toMatch(/^keepwatch_session=; Max-Age=0/);
    expect((await get('/v1/session')).body).toMatchObject({ status: 401, code: 'invalid_token' });
  });

  it('sessions get a new id at each login, even if the browser sends a cookie', async () => {
    const planted = `keepwatch_session=${'A'.repeat(43)}`;
    const first = cookieOf(await post('/v1/session', LOGIN).set('Cookie', planted));
    const second = cookieOf(
      await post('/v1/session', LOGIN).set({ Cookie: first, Origin: PUBLIC_URL }),
    );
    expect(new Set([planted, first, second]).size).toBe(3);
    expect((await get('/v1/session', planted)).body).toMatchObject({ code: 'invalid_token' });
    expect((await get('/v1/session', second)).status).toBe(200);
  });

  it('a person sees the list of their own sessions, and can end only sessions in that list', async () => {
    const other = cookieOf(await post('/v1/session', LOGIN));
    const { data } = (await get('/v1/sessions')).body;
    expect(data.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
    const ending = (await get('/v1/sessions', other)).body.data.find(
      ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
    );
    expect(ending.id).toMatch(/^ses_[0-9a-z]{26}$/);
    expect(other).not.toContain(ending.id.slice(4));
    const end = () =>
      request(service.app)
        .delete(`/v1/sessions/${ending.id}`)
        .set({ Cookie: cookie, Origin: PUBLIC_URL });
    expect((await end()).status).toBe(204);
    expect((await get('/v1/session', other)).body).toMatchObject({ code: 'invalid_token' });
    expect((await end()).status).toBe(404);
  });

  it('sessions show their device and IP address, and one request ends all other sessions', async () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const other = cookieOf(
      await post('/v1/session', LOGIN).set('User-Agent', firefox.padEnd(400, ' x')),
    );
    const { data } = (await get('/v1/sessions')).body;
    expect(data).toContainEqual(
      expect.objectContaining({
        device: 'Firefox on Linux',
        userAgent: firefox.padEnd(400, ' x').slice(0, 300),
        ip: expect.stringMatching(/127\.0\.0\.1$/),
        isCurrent: false,
      }),
    );
    const ended = await request(service.app)
      .delete('/v1/sessions')
      .set({ Cookie: cookie, Origin: PUBLIC_URL });
    expect(ended.status).toBe(204);
    expect((await get('/v1/session', other)).body).toMatchObject({ code: 'invalid_token' });
    expect((await get('/v1/sessions')).body.data).toEqual([
      expect.objectContaining({ isCurrent: true }),
    ]);
    const [event] = (await get('/v1/audit-events')).body.data;
    expect(event).toMatchObject({ action: 'session.delete_others', resourceType: 'user' });
  });

  it('a person has at most 20 sessions, and a new session ends the oldest one', async () => {
    const first = cookie;
    for (let count = 0; count < 20; count += 1) {
      service.clock.nowMs += 1_000;
      cookie = cookieOf(await post('/v1/session', LOGIN));
    }
    expect((await get('/v1/session', first)).body).toMatchObject({ code: 'invalid_token' });
    expect((await get('/v1/sessions')).body.data).toHaveLength(20);
  });

  it('a wrong password and an unknown email get the same response', async () => {
    const wrong = await post('/v1/session', { ...LOGIN, password: 'wrong password' });
    const unknown = await post('/v1/session', { ...LOGIN, email: 'nobody@example.com' });
    expect(wrong.body).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(unknown.body).toEqual({ ...wrong.body, requestId: unknown.body.requestId });
  });

  it('sessions end after 12 idle hours, and after 7 days even if in use', async () => {
    service.clock.nowMs += 13 * HOUR_MS;
    expect((await get('/v1/session')).body.code).toBe('expired_token');
    cookie = cookieOf(await post('/v1/session', LOGIN));
    for (let hours = 0; hours < 7 * 24; hours += 8) {
      expect((await get('/v1/session')).status).toBe(200);
      service.clock.nowMs += 8 * HOUR_MS;
    }
    expect((await get('/v1/session')).body.code).toBe('expired_token');
  });

  it('sessions accept writes only from pages of the service itself', async () => {
    const write = (headers: Record<string, string>) =>
      request(service.app)
        .post('/v1/monitors')
        .set({ Cookie: cookie, ...headers })
        .send({ name: 'x', url: 'http://example.com' });
    for (const headers of [
      { Origin: PUBLIC_URL },
      { 'Sec-Fetch-Site': 'same-origin' },
      { Host: 'status.lan:3000', Origin: 'http://status.lan:3000' },
    ]) {
      expect((await write(headers)).status).toBe(201);
    }
    for (const headers of [
      {},
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: PUBLIC_URL, 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      expect((await write(headers)).body).toMatchObject({ status: 403 });
    }
    const login = await request(service.app)
      .post('/v1/session')
      .set('Origin', 'https://evil.example')
      .send(LOGIN);
    expect(login.status).toBe(403);
  });

  it('sessions are ignored when there is an Authorization header', async () => {
    for (const authorization of ['Bearer nonsense', 'Basic b3duZXI6eA==', '']) {
      const answer = await get('/v1/session').set('Authorization', authorization);
      expect(answer.status).toBe(401);
    }
  });
});

describe('API keys', () => {
  beforeEach(async () => {
    service = await openTestService();
  });

  const get = (authorization: string) =>
    request(service.app).get('/v1/account').set('Authorization', authorization);

  it('API keys are refused if they are invalid, expired or revoked', async () => {
    const account = await service.newAccount();
    const nowMs = service.clock.nowMs;
    const expired = await account.newKey({ expiresAtMs: nowMs });
    const revoked = await account.newKey({ revokedAtMs: nowMs, expiresAtMs: nowMs });
    const mistyped = `${account.key.slice(0, -1)}${account.key.endsWith('0') ? '1' : '0'}`;
    for (const [authorization, code] of [
      [`Bearer ${expired}`, 'expired_token'],
      [`Bearer ${revoked}`, 'revoked_token'],
      [`Bearer ${mistyped}`, 'invalid_token'],
      ['Bearer', 'invalid_token'],
      [account.key, 'invalid_token'],
      [`Basic ${account.key}`, 'invalid_token'],
    ] as const) {
      const answer = await get(authorization);
      expect(answer.body).toMatchObject({ status: 401, code });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expect((await get(`bearer  ${account.key}`)).status).toBe(200);
  });

  it('API keys stop working at once when they are revoked, and record their last use', async () => {
    const account = await service.newAccount();
    await get(`Bearer ${account.key}`);
    const { apiKeys } = service.database.database.models;
    const used = await apiKeys.findOne({ accountId: account.id }).lean();
    expect(used?.lastUsedAtMs).toBe(service.clock.nowMs);
    await apiKeys.updateOne({ accountId: account.id }, { $set: { revokedAtMs: 1 } });
    expect((await get(`Bearer ${account.key}`)).body.code).toBe('revoked_token');
  });

  it('an account on the free plan cannot use API keys', async () => {
    const account = await service.newAccount();
    const { accounts } = service.database.database.models;
    await accounts.updateOne({ _id: account.id }, { $set: { plan: 'free' } });
    const answer = await get(`Bearer ${account.key}`);
    expect(answer.body).toMatchObject({ status: 403, code: 'plan_required' });
  });

  it('API keys allow exactly what their scope allows: read, run, write or admin', async () => {
    const account = await service.newAccount();
    const as = async (scopes: ('read' | 'run' | 'write')[]) =>
      `Bearer ${await account.newKey({ scopes })}`;
    const create = (authorization: string) =>
      request(service.app)
        .post('/v1/monitors')
        .set('Authorization', authorization)
        .send({ name: 'x', url: 'http://example.com' });
    expect((await create(await as(['run']))).body.code).toBe('insufficient_scope');
    const { status, body } = await create(await as(['read', 'write']));
    expect(status).toBe(201);
    const run = (authorization: string) =>
      request(service.app).post(`/v1/monitors/${body.id}/run`).set('Authorization', authorization);
    expect((await run(await as(['read']))).status).toBe(403);
    expect((await run(await as(['run']))).status).toBe(202);
    expect((await run(await as(['write']))).status).toBe(202);
  });
});
