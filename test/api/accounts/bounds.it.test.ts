/**
 * Tests the limits of a plan: numbers of objects, shortest intervals, and what the account shows about them. Also tests
 * the limits that are the same in every plan: API keys, pipelines, status pages, saved views, maintenance windows, and
 * alert policies with their routes.
 *
 * Covers:
 * - services/accounts/get-account
 * - services/accounts/plan-limits
 */

import { setTimeout } from 'node:timers/promises';
import request from 'supertest';
import { personOf, type TestPerson } from '../people';
import { accountOfEach, PUBLIC_URL, suiteService } from '../test-service';

// Concurrent writers near a limit wait for each other in real time.
const service = suiteService({ sleep: (ms) => setTimeout(ms) });
const account = accountOfEach(service);
let owner: TestPerson;

beforeEach(async () => {
  owner = await personOf(service, account.id, 'owner');
  const { accounts } = service.database.database.models;
  await accounts.updateOne({ _id: account.id }, { $set: { plan: 'free' } });
});

function as(verb: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) {
  return request(service.app)
    [verb](path)
    .set({ Cookie: owner.cookie, Origin: PUBLIC_URL })
    .send(body);
}

const MONITOR = { name: 'x', url: 'https://shop.example.com/' };
const SCENARIO = { name: 'x', steps: [MONITOR] };

it.each([
  ['monitors', 10, MONITOR],
  ['scenarios', 3, SCENARIO],
] as const)(
  'even with concurrent creations, an account never has more %s than its limit allows',
  async (kind, bound, body) => {
    for (let made = 1; made < bound; made += 1)
      expect((await as('post', `/v1/${kind}`, body)).status).toBe(201);
    const store = service.services.stores[kind];
    const list = await as('get', `/v1/${kind}`);
    for (const { id } of list.body.data.slice(0, 2)) await as('delete', `/v1/${kind}/${id}`);
    const free = bound - (await store.count(account.id));
    const made = await Promise.all([1, 2, 3, 4, 5, 6].map(() => as('post', `/v1/${kind}`, body)));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(free);
    expect(made.filter(({ body: { code } }) => code === 'limit_reached')).toHaveLength(6 - free);
    expect(await store.count(account.id)).toBe(bound);
    const refused = await as('post', `/v1/${kind}`, body);
    expect(refused.body).toMatchObject({
      status: 403,
      code: 'limit_reached',
      detail: `The plan free allows ${bound} ${kind}.`,
    });
    expect(await store.count(account.id)).toBe(bound);
    const full = await as('get', `/v1/${kind}`);
    await as('delete', `/v1/${kind}/${full.body.data[0].id}`);
    expect((await as('post', `/v1/${kind}`, body)).status).toBe(201);
  },
);

it('a dry run of apply reports which creations the plan limits would refuse', async () => {
  await as('post', '/v1/scenarios', SCENARIO);
  const often = { ...MONITOR, key: 'often', interval: 10, timeoutMs: 1000 };
  const scenarios = ['a', 'b', 'c', 'd'].map((key) => ({ ...SCENARIO, key }));
  const set = { monitors: [often, { ...MONITOR, key: 'seldom' }], scenarios };
  const outcomesOf = async (dryRun: boolean) => {
    const { body } = await as('post', '/v1/apply', { ...set, dryRun });
    return body.objects.map(
      ({ key, problem }: { key: string; problem: { code: string } | null }) => [
        key,
        problem?.code ?? null,
      ],
    );
  };
  const planned = await outcomesOf(true);
  expect(planned).toEqual([
    ['often', 'limit_reached'],
    ['seldom', null],
    ['a', null],
    ['b', null],
    ['c', 'limit_reached'],
    ['d', 'limit_reached'],
  ]);
  const refusedOf = (outcomes: readonly (readonly unknown[])[]) =>
    outcomes.filter(([, code]) => code === 'limit_reached').length;
  expect(refusedOf(await outcomesOf(false))).toBe(refusedOf(planned));
});

it('an interval shorter than the plan allows is refused by POST, PUT and PATCH', async () => {
  const refusal = {
    status: 403,
    code: 'limit_reached',
    detail: 'The plan free allows an interval of 60 seconds or more.',
  };
  const often = { ...MONITOR, interval: 59, timeoutMs: 1000 };
  expect((await as('post', '/v1/monitors', often)).body).toMatchObject(refusal);
  const { body } = await as('post', '/v1/monitors', MONITOR);
  expect((await as('put', `/v1/monitors/${body.id}`, often)).body).toMatchObject(refusal);
  const patched = await as('patch', `/v1/monitors/${body.id}`, { interval: 30 });
  expect(patched.body).toMatchObject(refusal);
  expect((await as('get', `/v1/monitors/${body.id}`)).body).toMatchObject({ interval: 60 });
});

it('when an account moves to a smaller plan, its resources stay and can be edited', async () => {
  const { accounts } = service.database.database.models;
  await accounts.updateOne({ _id: account.id }, { $set: { plan: 'business' } });
  const often = { ...MONITOR, interval: 10 };
  const { body } = await as('post', '/v1/monitors', often);
  await accounts.updateOne({ _id: account.id }, { $set: { plan: 'free' } });
  const renamed = await as('patch', `/v1/monitors/${body.id}`, { name: 'renamed' });
  expect(renamed.body).toMatchObject({ name: 'renamed', interval: 10 });
});

it('members and open invitations count together towards one limit', async () => {
  const invited = await as('post', '/v1/invitations', { email: 'a1@example.com', role: 'viewer' });
  expect(invited.status).toBe(201);
  const refusal = { status: 403, code: 'limit_reached', detail: 'The plan free allows 2 members.' };
  for (const path of ['/v1/members', '/v1/invitations']) {
    const refused = await as('post', path, { email: 'a2@example.com', role: 'viewer' });
    expect(refused.body).toMatchObject(refusal);
  }
  await as('delete', `/v1/invitations/${invited.body.id}`);
  const added = await as('post', '/v1/members', { email: 'a2@example.com', role: 'viewer' });
  expect(added.status).toBe(201);
});

it('the account shows its limits and their use, and can be renamed', async () => {
  await as('post', '/v1/monitors', MONITOR);
  await as('patch', '/v1/account', { name: ' Renamed ' });
  expect((await as('get', '/v1/account')).body).toEqual({
    id: account.id,
    name: 'Renamed',
    plan: 'free',
    createdAt: expect.any(String),
    bounds: {
      monitors: 10,
      scenarios: 3,
      members: 2,
      minIntervalSeconds: 60,
      retentionDays: 30,
    },
    usage: { monitors: 1, scenarios: 0, members: 1, apiKeys: 1 },
    rateLimits: null,
    suspended: null,
    requireSecondFactor: false,
    defaultProfile: null,
  });
});

describe('limits that are the same in every plan', () => {
  // Concurrent writers near a limit wait for each other in real time.

  const AT_ONCE = 8;
  const FREE = 3;
  const ULID_LENGTH = 26;

  const window = { mode: 'mute', durationMinutes: 5, target: { all: true } };
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();

  const FIRST_STEP = { afterMinutes: 0, notify: ['chat'] };
  const CHANNEL = { type: 'slack', key: 'chat', name: 'c', webhookUrl: 'https://hooks.example/x' };

  const KINDS = [
    ['api-keys', 200, (nth: number) => ({ name: `k${nth}`, scopes: ['read'] })],
    ['pipelines', 100, (nth: number) => ({ name: `p${nth}`, repository: 'acme/shop' })],
    ['status-pages', 50, (nth: number) => ({ slug: `page-${nth}`, title: 'p' })],
    ['saved-views', 200, (nth: number) => ({ name: `v${nth}`, isShared: true })],
    ['maintenance-windows', 100, (nth: number) => ({ ...window, startsAt, name: `w${nth}` })],
    ['alert-policies', 100, (nth: number) => ({ key: `p${nth}`, name: 'p', steps: [FIRST_STEP] })],
  ] as const;

  it.each(KINDS)(
    'concurrent requests to create %s succeed only up to the limit of %i',
    async (list, bound, bodyOf) => {
      const account = await service.newAccount();
      // Several API processes that share only the database.
      const apps = [service.app, service.appWith({}), service.appWith({})];
      const as = (nth: number) =>
        request.agent(apps[nth % apps.length]).set('Authorization', `Bearer ${account.key}`);
      const create = (nth: number) => as(nth).post(`/v1/${list}`).send(bodyOf(nth));
      const count = async () => (await as(0).get(`/v1/${list}?limit=500`)).body.data.length;
      await as(0).post('/v1/alert-channels').send(CHANNEL).expect(201);
      await create(1).expect(201);
      await copyLast(list, account.id, bound - FREE - (await count()));
      const nths = Array.from({ length: AT_ONCE }, (_, index) => 1_000 + index);
      const rush = await Promise.all(nths.map(create));
      expect(rush.filter(({ status }) => status === 201)).toHaveLength(FREE);
      expect(rush.filter(({ body }) => body.code === 'limit_reached')).toHaveLength(AT_ONCE - FREE);
      expect(await count()).toBe(bound);
    },
  );

  it('an account can have 100 alert routes, and one more is refused', async () => {
    const account = await service.newAccount();
    const replace = (count: number) => {
      const routes = Array.from({ length: count }, (_, nth) => ({
        match: { tags: [`t${nth}`] },
        policy: null,
      }));
      const put = request(service.app).put('/v1/alert-routes');
      return put.set('Authorization', `Bearer ${account.key}`).send({ routes });
    };
    expect((await replace(100)).body.routes).toHaveLength(100);
    const refused = await replace(101);
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: 'routes' }]]);
    const stored = await service.services.stores.alertRoutes.find(account.id);
    expect(stored?.routes).toHaveLength(100);
  });

  /** Stores this many copies of the newest object; only fields that must be unique differ. */
  async function copyLast(
    list: (typeof KINDS)[number][0],
    accountId: string,
    copies: number,
  ): Promise<void> {
    const { connection, models } = service.database.database;
    const { apiKeys, pipelines, savedViews, statusPages, maintenanceWindows, alertPolicies } =
      models;
    const { collectionName } = {
      'api-keys': apiKeys,
      pipelines,
      'status-pages': statusPages,
      'saved-views': savedViews,
      'maintenance-windows': maintenanceWindows,
      'alert-policies': alertPolicies,
    }[list].collection;
    const documents = connection.getClient().db(service.database.name);
    const collection = documents.collection<{ _id: string; accountId: string }>(collectionName);
    const last = await collection.findOne({ accountId }, { sort: { _id: -1 } });
    const prefix = String(last?._id).slice(0, -ULID_LENGTH);
    const copyOf = (_: unknown, nth: number) => ({
      ...last,
      accountId,
      // The id is older than all ids of the service. The service would generate ever newer ids, even within a
      // millisecond, while its clock is stopped.
      _id: `${prefix}${String(nth).padStart(ULID_LENGTH, '0')}`,
      ...(list === 'api-keys' && { hash: `hash ${accountId} ${nth}` }),
      ...(list === 'status-pages' && { slug: `copy-${nth}` }),
      ...(list === 'alert-policies' && { key: `copy-${nth}` }),
    });
    await collection.insertMany(Array.from({ length: copies }, copyOf));
  }
});
