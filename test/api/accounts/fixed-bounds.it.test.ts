/** Bounds that are the same in every plan: API keys, status pages, saved views, maintenance windows, and alert policies with the routes that lead to them. */
import { setTimeout } from 'node:timers/promises';
import request from 'supertest';
import { suiteService } from '../test-service';

// Writers near a bound really wait for each other.
const service = suiteService({ sleep: (ms) => setTimeout(ms) });

const AT_ONCE = 8;
const FREE = 3;
const ULID_LENGTH = 26;

const window = { mode: 'mute', durationMinutes: 5, target: { all: true } };
const startsAt = new Date(Date.now() + 3_600_000).toISOString();

const FIRST_STEP = { afterMinutes: 0, notify: ['chat'] };
const CHANNEL = { type: 'slack', key: 'chat', name: 'c', webhookUrl: 'https://hooks.example/x' };

const KINDS = [
  ['api-keys', 200, (nth: number) => ({ name: `k${nth}`, scopes: ['read'] })],
  ['status-pages', 50, (nth: number) => ({ slug: `page-${nth}`, title: 'p' })],
  ['saved-views', 200, (nth: number) => ({ name: `v${nth}`, isShared: true })],
  ['maintenance-windows', 100, (nth: number) => ({ ...window, startsAt, name: `w${nth}` })],
  ['alert-policies', 100, (nth: number) => ({ key: `p${nth}`, name: 'p', steps: [FIRST_STEP] })],
] as const;

it.each(KINDS)(
  'of %s, as many succeed at once as there are free places of %i',
  async (list, bound, bodyOf) => {
    const account = await service.newAccount();
    // Further processes on the same database share nothing but that.
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

it('an account has at most 100 alert routes, and one more is refused with all the rest unchanged', async () => {
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

/** Stores so many copies of the newest one; what has to differ does. */
async function copyLast(
  list: (typeof KINDS)[number][0],
  accountId: string,
  copies: number,
): Promise<void> {
  const { connection, models } = service.database.database;
  const { apiKeys, savedViews, statusPages, maintenanceWindows, alertPolicies } = models;
  const { collectionName } = {
    'api-keys': apiKeys,
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
    // Older than all: ids of the service count up within a millisecond, and here its clock stands still.
    _id: `${prefix}${String(nth).padStart(ULID_LENGTH, '0')}`,
    ...(list === 'api-keys' && { hash: `hash ${accountId} ${nth}` }),
    ...(list === 'status-pages' && { slug: `copy-${nth}` }),
    ...(list === 'alert-policies' && { key: `copy-${nth}` }),
  });
  await collection.insertMany(Array.from({ length: copies }, copyOf));
}
