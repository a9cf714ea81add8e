/**
 * Tests what operators can do with accounts, on the real application and database.
 *
 * Covers:
 * - services/operations/accounts/operate-accounts
 * - services/accounts/operators
 * - services/operations/accounts/suspension
 * - services/maintenance/account-calendar
 */
import request from 'supertest';
import { ROUTES } from '../../../src/api/v1/route-table';
import type { MaintenancePlan } from '../../../src/contracts/maintenance';
import { notifySuspensions } from '../../../src/services/operations/accounts/suspension';
import { arranged } from '../arranged';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { openTestService, PUBLIC_URL, SETUP_TOKEN, type TestService } from '../test-service';

let service: TestService;
let operator: Pick<TestPerson, 'cookie'>;
let first: string;

const OPERATOR = 'operator@example.com';

beforeAll(async () => {
  service = await openTestService({ operatorEmails: [OPERATOR] });
  const setUp = await request(service.app).post('/v1/setup').send({
    setupToken: SETUP_TOKEN,
    accountName: 'First',
    email: 'first@example.com',
    password: PASSWORD,
  });
  first = setUp.body.account.id;
  operator = { cookie: cookieOf(setUp) };
});
afterAll(() => service.close());

type Verb = 'head' | 'get' | 'post' | 'put' | 'patch' | 'delete';
const VERBS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

function as(person: Pick<TestPerson, 'cookie'>, verb: Verb, path: string, body?: object) {
  return request(service.app)
    [verb](path)
    .set({ Cookie: person.cookie, Origin: PUBLIC_URL })
    .send(body);
}

function cookieOf(answer: request.Response): string {
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return cookie;
}

const PATH = '/v1/operator/accounts';
const reason = 'The invoice of March is not paid';

async function newAccount() {
  const account = await service.newAccount();
  return { ...account, owner: await personOf(service, account.id, 'owner') };
}

describe('operators', () => {
  it('operators are the owners of the first account, and people whose confirmed email address is listed as an operator', async () => {
    const { stores } = service.services;
    const account = await newAccount();
    expect((await as(account.owner, 'get', PATH)).body.code).toBe('insufficient_scope');
    const admin = await personOf(service, first, 'admin');
    expect((await as(admin, 'get', PATH)).body.code).toBe('insufficient_scope');
    expect((await as(operator, 'get', '/v1/session')).body).toMatchObject({ operator: true });

    // An operator must confirm the email address. The person who added the address to an account may also have chosen
    // its first password.
    const named = await personOf(service, account.id, 'viewer');
    const { models } = service.database.database;
    const user = await stores.users.find(account.id, named.id);
    await models.people.updateOne({ _id: user?.personId ?? '' }, { $set: { email: OPERATOR } });
    expect((await as(named, 'get', PATH)).body.code).toBe('insufficient_scope');
    await stores.people.confirmEmail(user?.personId ?? '', 1);
    expect((await as(named, 'get', PATH)).status).toBe(200);
    expect((await as(named, 'get', '/v1/session')).body).toMatchObject({ operator: true });
  });

  it('an account that an operator creates gets its owner through an invitation', async () => {
    const creating = { name: 'Shop', plan: 'pro', ownerEmail: 'Owner@Shop.example' };
    const created = await as(operator, 'post', PATH, creating);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      name: 'Shop',
      plan: 'pro',
      state: 'active',
      isFirst: false,
      owner: { email: 'owner@shop.example', mailed: false },
    });
    const token = String(created.body.owner.acceptUrl).split('#token=')[1];
    const accepting = { token, password: PASSWORD };
    const accepted = await request(service.app).post('/v1/invitations/accept').send(accepting);
    expect(accepted.body).toMatchObject({
      account: { id: created.body.id, name: 'Shop' },
      user: { role: 'owner' },
    });
    const owner = { cookie: cookieOf(accepted) };
    const trail = await as(owner, 'get', '/v1/audit-events?action=account.create');
    expect(trail.body.data).toMatchObject([{ actor: { type: 'system', id: 'operator' } }]);
    const own = await as(operator, 'get', '/v1/audit-events?action=account.create');
    expect(own.body.data[0]).toMatchObject({ resourceId: created.body.id });
  });

  it("an operator's key manages all accounts until its creator stops being an operator", async () => {
    const { stores } = service.services;
    const account = await newAccount();
    const withKey = (key: string, verb: 'get' | 'post', path: string, body?: object) =>
      request(service.app)[verb](path).set('Authorization', `Bearer ${key}`).send(body);
    const forOperator = { name: 'ops', scopes: ['admin'], operator: true };
    for (const refused of [
      await as(account.owner, 'post', '/v1/api-keys', forOperator),
      await withKey(account.key, 'post', '/v1/api-keys', forOperator),
    ])
      expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' });

    const user = await stores.users.find(account.id, account.owner.id);
    const { models } = service.database.database;
    const setEmail = (email: string) =>
      models.people.updateOne({ _id: user?.personId ?? '' }, { $set: { email } });
    await models.people.updateMany({ email: OPERATOR }, { $set: { email: 'former@example.com' } });
    await setEmail(OPERATOR);
    await stores.people.confirmEmail(user?.personId ?? '', 1);
    const made = await as(account.owner, 'post', '/v1/api-keys', forOperator);
    expect(made.body).toMatchObject({ operator: true, scopes: ['admin'] });
    const plain = await as(account.owner, 'post', '/v1/api-keys', { name: 'x', scopes: ['admin'] });
    expect(plain.body).toMatchObject({ operator: false });
    const { key } = made.body;
    expect((await withKey(key, 'get', PATH)).body.data.length).toBeGreaterThan(1);
    expect((await withKey(plain.body.key, 'get', PATH)).body.code).toBe('insufficient_scope');
    // A leaked operator key must not be able to create other operator keys.
    const another = await withKey(key, 'post', '/v1/api-keys', forOperator);
    expect(another.body.code).toBe('insufficient_scope');
    await setEmail('nobody@example.com');
    expect((await withKey(key, 'get', PATH)).body.code).toBe('insufficient_scope');
  });

  it('keys of a removed operator no longer manage all accounts, even after the keys move to another operator', async () => {
    const { stores } = service.services;
    const admin = await personOf(service, first, 'admin');
    await stores.users.setRole(first, admin.id, 'owner');
    const forOperator = { name: 'ops', scopes: ['admin'], operator: true };
    const { key } = (await as(admin, 'post', '/v1/api-keys', forOperator)).body;
    const withKey = (path: string) =>
      request(service.app).get(path).set('Authorization', `Bearer ${key}`);
    expect((await withKey(PATH)).status).toBe(200);
    const path = `/v1/members/${admin.id}?apiKeys=move`;
    expect((await as(operator, 'delete', path)).status).toBe(204);
    expect((await withKey(PATH)).body.code).toBe('insufficient_scope');
    expect((await withKey('/v1/monitors')).status).toBe(200);
  });

  it("the refusal of an operator's request reports all problems of the body at once", async () => {
    const created = await as(operator, 'post', PATH, { plan: 'gold', ownerEmail: 'x', size: 1 });
    expect(created.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'name',
      'ownerEmail',
      'plan',
      'size',
    ]);
    const account = await newAccount();
    const changed = await as(operator, 'patch', `${PATH}/${account.id}`, {});
    expect(changed.body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('an operator can set a plan below the current usage, and then no member can be invited', async () => {
    const account = await newAccount();
    for (const role of ['admin', 'editor'] as const) await personOf(service, account.id, role);
    const changed = await as(operator, 'patch', `${PATH}/${account.id}`, { plan: 'free' });
    expect(changed.body).toMatchObject({
      plan: 'free',
      bounds: { members: 2 },
      usage: { members: 3 },
    });
    const invited = await as(account.owner, 'post', '/v1/invitations', {
      email: 'more@example.com',
      role: 'viewer',
    });
    expect(invited.body.code).toBe('limit_reached');
  });
});

describe('a suspended account', () => {
  const planOf = (id: string): MaintenancePlan | undefined =>
    service.gateway.calls.findLast((call) => call.id === id && call.maintenance !== undefined)
      ?.maintenance;

  it('members of a suspended account see the reason until the account is resumed', async () => {
    const account = await newAccount();
    const path = `${PATH}/${account.id}`;
    expect((await as(operator, 'patch', path, { suspended: { reason } })).body).toMatchObject({
      state: 'suspended',
      suspended: { reason },
    });
    const shown = { suspended: { reason } };
    expect((await as(account.owner, 'get', '/v1/account')).body).toMatchObject(shown);
    expect((await as(account.owner, 'get', '/v1/session')).body.account).toMatchObject(shown);
    expect((await as(account.owner, 'patch', '/v1/account', { name: 'x' })).status).toBe(403);
    const resumed = await as(operator, 'patch', path, { suspended: null });
    expect(resumed.body).toMatchObject({ state: 'active', suspended: null });
    expect((await as(account.owner, 'patch', '/v1/account', { name: 'x' })).status).toBe(200);
    const trail = await as(account.owner, 'get', '/v1/audit-events');
    const actions = trail.body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['account.update', 'account.resume', 'account.suspend']);
  });

  it('people can read and export a suspended account, but changes and API keys are refused with the reason', async () => {
    const account = await newAccount();
    await as(operator, 'patch', `${PATH}/${account.id}`, { suspended: { reason } });
    const ownOf = /^\/v1\/(session|sessions|password|person|registrations)/;
    const key = { Authorization: `Bearer ${account.key}` };
    for (const { method, path, scope } of ROUTES) {
      if (scope === 'public' || scope === 'operator') continue;
      const verb = path === '/v1/events' ? 'head' : VERBS[method];
      const filled = path.replace(/:\w+/g, 'x');
      const byKey = await request(service.app)[verb](filled).set(key);
      const isOpen = path === '/v1/account' && method === 'GET';
      expect([method, path, byKey.status === 403]).toEqual([method, path, !isOpen]);
      if (!isOpen && verb !== 'head') expect(byKey.body.code).toBe('account_suspended');
      if (ownOf.test(path)) continue;
      const byPerson = await as(account.owner, verb, filled);
      expect([method, path, byPerson.body.code === 'account_suspended']).toEqual([
        method,
        path,
        method !== 'GET',
      ]);
      if (method !== 'GET') expect(byPerson.body.detail).toContain(reason);
      if (!isOpen && verb !== 'head') expect(byKey.body.detail).toContain(reason);
    }
    for (const path of ['/v1/monitors', '/v1/incidents', '/v1/export', '/v1/audit-events'])
      expect((await as(account.owner, 'get', path)).status).toBe(200);
    expect((await as(account.owner, 'head', '/v1/events')).status).toBe(200);
  });

  it('workflows of a suspended account check nothing until the account is resumed, and paused monitors stay paused', async () => {
    const account = await newAccount();
    const key = { Authorization: `Bearer ${account.key}` };
    const make = (body: object) =>
      arranged(request(service.app).post('/v1/monitors').set(key).send(body));
    const running = await make({ name: 'a', url: 'http://example.com' });
    const paused = await make({ name: 'b', url: 'http://example.com', enabled: false });
    const path = `${PATH}/${account.id}`;
    await as(operator, 'patch', path, { suspended: { reason } });
    for (const { id } of [running, paused])
      expect(planOf(id)?.spans).toMatchObject([{ windowId: account.id, mode: 'pause' }]);
    service.clock.nowMs += 3_600_000;
    await as(operator, 'patch', path, { suspended: null });
    for (const { id } of [running, paused]) expect(planOf(id)?.spans).toEqual([]);
    const read = await request(service.app).get(`/v1/monitors/${paused.id}`).set(key);
    expect(read.body).toMatchObject({ state: 'paused', version: paused.version });
  });

  it('housekeeping completes a suspension that an outage of Temporal or a kill has interrupted', async () => {
    const account = await newAccount();
    const monitor = await arranged(
      request(service.app)
        .post('/v1/monitors')
        .set('Authorization', `Bearer ${account.key}`)
        .send({ name: 'a', url: 'http://example.com' }),
    );
    service.gateway.away = 'work';
    const path = `${PATH}/${account.id}`;
    const suspended = await as(operator, 'patch', path, { suspended: { reason } });
    service.gateway.away = null;
    expect(suspended.status).toBe(200);
    expect(planOf(monitor.id)).toBeUndefined();
    const { signal } = new AbortController();
    await notifySuspensions(service.services, signal);
    expect(planOf(monitor.id)?.spans).toHaveLength(1);
    expect(await notifySuspensions(service.services, signal)).toBe(0);
  });

  it('a suspended account still stores pings of its heartbeats', async () => {
    const account = await newAccount();
    const body = { name: 'job', type: 'heartbeat', schedule: { everySeconds: 60 } };
    const heartbeat = await arranged(
      request(service.app)
        .post('/v1/monitors')
        .set('Authorization', `Bearer ${account.key}`)
        .send(body),
    );
    await as(operator, 'patch', `${PATH}/${account.id}`, { suspended: { reason } });
    const { pathname } = new URL(heartbeat.pingUrl);
    expect((await request(service.app).get(pathname)).status).toBe(200);
    const { pings } = service.database.database.models;
    expect(await pings.countDocuments({ monitorId: heartbeat.id })).toBe(1);
  });
});

describe('deleting an account', () => {
  it('a deleted account refuses its people and keys at once, and operators see the account until all its data is deleted', async () => {
    const account = await newAccount();
    const path = `${PATH}/${account.id}`;
    expect((await as(operator, 'delete', path)).status).toBe(204);
    expect((await as(operator, 'delete', path)).status).toBe(204);
    const byKey = await request(service.app)
      .get('/v1/monitors')
      .set('Authorization', `Bearer ${account.key}`);
    expect(byKey.body).toMatchObject({ status: 401, code: 'invalid_token' });
    expect((await as(account.owner, 'get', '/v1/session')).body.code).toBe('invalid_token');
    const login = { email: account.owner.email, password: PASSWORD };
    expect((await request(service.app).post('/v1/session').send(login)).status).toBe(401);
    expect((await as(operator, 'get', path)).body).toMatchObject({ state: 'deleting' });
    const late = await as(operator, 'patch', path, { name: 'late' });
    expect(late.body).toMatchObject({ status: 409, code: 'already_finished' });
  });

  it('the first account cannot be deleted or suspended', async () => {
    for (const refused of [
      await as(operator, 'delete', `${PATH}/${first}`),
      await as(operator, 'patch', `${PATH}/${first}`, { suspended: { reason } }),
    ])
      expect(refused.body).toMatchObject({ status: 409, code: 'in_use' });
  });
});

it('status pages of a suspended account stay online, and say that monitoring is suspended', async () => {
  const account = await newAccount();
  const key = { Authorization: `Bearer ${account.key}` };
  const slug = `page-${account.id.slice(-8)}`;
  await arranged(
    request(service.app)
      .post('/v1/status-pages')
      .set(key)
      .send({ slug, title: 'Shop', isPublic: true, showBadges: true }),
  );
  await as(operator, 'patch', `${PATH}/${account.id}`, { suspended: { reason } });
  const read = async (path: string) => {
    const { status, text, body } = await request(service.app).get(path);
    expect([path, status]).toEqual([path, 200]);
    return text ?? String(body);
  };
  const page = await read(`/status/${slug}`);
  expect(page).toContain('Monitoring is suspended');
  const summary = await read(`/status/${slug}/api/v2/summary.json`);
  expect(JSON.parse(summary).status.description).toBe('Monitoring is suspended');
  const badge = await read(`/badges/${slug}/overall.svg`);
  expect(badge).toContain('Shop: Unknown');
  const feed = await read(`/status/${slug}/feed.json`);
  expect(feed).toContain('"overall": "unknown"');
  // Only people of the account may see the reason.
  for (const text of [page, summary, badge, feed]) expect(text).not.toContain(reason);
});
