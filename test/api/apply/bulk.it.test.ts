/**
 * Tests bulk actions on monitors and scenarios, on the real application and database.
 *
 * Covers:
 * - services/lists/run-or-compensate
 * - services/operations/bulk-checks
 * - services/resources/pause
 */
import request from 'supertest';
import { AppError } from '../../../src/platform/errors';
import { mapAtMost } from '../../../src/platform/map-at-most';
import { openTestService, type TestAccount, type TestService } from '../test-service';

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await openTestService();
});
beforeEach(async () => {
  account = await service.newAccount();
});
afterAll(() => service.close());

function as(key = account.key) {
  return request.agent(service.app).set('Authorization', `Bearer ${key}`);
}

async function create(changes: object = {}, key = account.key): Promise<string> {
  const body = { name: 'm', url: 'https://shop.example.com/', ...changes };
  const answer = await as(key).post('/v1/monitors').send(body);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

function bulk(body: object, key = account.key) {
  return as(key).post('/v1/monitors/bulk').send(body);
}

async function read(id: string) {
  return (await as().get(`/v1/monitors/${id}`)).body;
}

it('a bulk action pauses and resumes monitors, and changes nothing when repeated', async () => {
  const ids = [await create(), await create()];
  const until = new Date(service.clock.nowMs + 3_600_000).toISOString();
  const paused = await bulk({ ids, action: 'pause', until, reason: 'release' });
  expect(paused.body).toEqual({
    succeeded: 2,
    failed: 0,
    data: ids.map((id) => ({ id, ok: true })),
  });
  const [first = ''] = ids;
  expect(await read(first)).toMatchObject({ state: 'paused', pauseReason: 'release', version: 2 });
  await bulk({ ids, action: 'pause', until, reason: 'release' });
  expect(await read(first)).toMatchObject({ version: 2 });
  await bulk({ ids, action: 'resume' });
  expect(await read(first)).toMatchObject({ state: 'active', version: 3 });
  expect(service.gateway.callsOf(first)).toEqual([
    'configureMonitor',
    'configureMonitorNow',
    'configureMonitorNow',
  ]);
});

it('a bulk action adds and removes tags, and changes the group of monitors', async () => {
  const id = await create({ tags: ['a', 'b'] });
  await bulk({ ids: [id], action: 'tag', add: ['c', 'a'], remove: ['b'] });
  expect(await read(id)).toMatchObject({ tags: ['a', 'c'] });
  await bulk({ ids: [id], action: 'group', group: 'shop/eu' });
  expect(await read(id)).toMatchObject({ group: 'shop/eu', groupKey: 'shop/eu' });
  await bulk({ ids: [id], action: 'group', group: null });
  expect(await read(id)).toMatchObject({ group: null, groupKey: 'example.com' });
});

it('a bulk deletion with a filter deletes only the matching monitors', async () => {
  const gone = [await create({ tags: ['old'] }), await create({ tags: ['old'] })];
  const kept = await create({ tags: ['new'] });
  const answer = await bulk({ filter: { tag: 'old' }, action: 'delete' });
  expect(answer.body).toMatchObject({ succeeded: 2, failed: 0 });
  for (const id of gone) expect(await read(id)).toMatchObject({ status: 404 });
  expect(await read(kept)).toMatchObject({ id: kept });
});

it('a bulk action reports each monitor that it cannot change, and changes all other monitors', async () => {
  const full = Array.from({ length: 20 }, (_, index) => `t${index}`);
  const [good, crowded] = [await create(), await create({ tags: full })];
  const other = await service.newAccount();
  const theirs = await create({}, other.key);
  const ids = [good, 'mon_x', theirs, crowded, good];
  const { status, body } = await bulk({ ids, action: 'tag', add: ['x'] });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    succeeded: 1,
    failed: 3,
    data: [
      { id: good, ok: true },
      { id: 'mon_x', ok: false, code: 'not_found', detail: expect.any(String) },
      { id: theirs, ok: false, code: 'not_found' },
      { id: crowded, ok: false, code: 'validation_failed' },
    ],
  });
  const untouched = await as(other.key).get(`/v1/monitors/${theirs}`);
  expect(untouched.body).toMatchObject({ tags: [], version: 1 });
});

it('a bulk action changes at most ten monitors at the same time', async () => {
  let [running, most] = [0, 0];
  const { gateway } = service;
  const original = gateway.configureMonitorNow;
  const counted: typeof original = async (config) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    await original(config);
    running -= 1;
  };
  const counting = await openTestService({
    stores: service.services.stores,
    gateway: { ...gateway, configureMonitorNow: counted },
  });
  try {
    const ids = await mapAtMost(3, Array.from({ length: 40 }), () => create());
    const answer = await request(counting.app)
      .post('/v1/monitors/bulk')
      .set('Authorization', `Bearer ${account.key}`)
      .send({ ids, action: 'pause' });
    expect(answer.body).toMatchObject({ succeeded: 40, failed: 0 });
    expect(most).toBeLessThanOrEqual(10);
    expect(most).toBeGreaterThan(1);
  } finally {
    await counting.close();
  }
});

it('a bulk action undoes each change that Temporal does not accept', async () => {
  const id = await create();
  service.gateway.away = 'ping';
  const away = await bulk({ ids: [id], action: 'pause' });
  service.gateway.away = 'work';
  const died = await bulk({ ids: [id], action: 'pause' });
  service.gateway.away = null;
  expect(away.body).toMatchObject({ status: 503, code: 'unavailable' });
  expect(died.body.data).toEqual([
    { id, ok: false, code: 'unavailable', detail: expect.any(String) },
  ]);
  expect(await read(id)).toMatchObject({ state: 'active' });
});

it('a bulk action retries changes for which Temporal was too busy', async () => {
  const { gateway } = service;
  const { configureMonitorNow } = gateway;
  let asked = 0;
  const busyOnce: typeof configureMonitorNow = async (config) => {
    asked += 1;
    if (asked === 1) throw new AppError('unavailable', 'no response in time');
    return configureMonitorNow(config);
  };
  const id = await create();
  Object.assign(gateway, { configureMonitorNow: busyOnce });
  const paused = await bulk({ ids: [id], action: 'pause' });
  Object.assign(gateway, { configureMonitorNow });
  expect(paused.body.data).toEqual([{ id, ok: true }]);
  expect(await read(id)).toMatchObject({ state: 'paused' });
});

it.each([
  ['neither ids nor a filter', { action: 'pause' }, 'ids'],
  ['ids and a filter', { action: 'pause', ids: ['mon_a'], filter: { tag: 'x' } }, 'ids'],
  ['an empty list of ids', { action: 'pause', ids: [] }, 'ids'],
  [
    '501 ids',
    { action: 'pause', ids: Array.from({ length: 501 }, (_, index) => `mon_${index}`) },
    'ids',
  ],
  ['an empty filter', { action: 'delete', filter: {} }, 'filter'],
  ['an unknown filter', { action: 'delete', filter: { owner: 'me' } }, 'filter.owner'],
  ['an unknown health', { action: 'delete', filter: { health: 'fine' } }, 'filter.health'],
  ['an unknown action', { action: 'explode', ids: ['mon_a'] }, 'action'],
  ['no tags to add', { action: 'tag', ids: ['mon_a'] }, 'add'],
  ['no group', { action: 'group', ids: ['mon_a'] }, 'group'],
  [
    'an end for a resume',
    { action: 'resume', ids: ['mon_a'], until: '2026-01-01T00:00:00Z' },
    'until',
  ],
])('a bulk action with %s is refused, and the invalid field is named', async (_, body, path) => {
  const answer = await bulk(body);
  expect(answer.body).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(answer.body.errors.map((problem: { path: string }) => problem.path)).toContain(path);
});

describe('a bulk action on monitors and scenarios together', () => {
  const all = (body: object, key = account.key) => as(key).post('/v1/checks/bulk').send(body);
  const both = async (changes: object = {}): Promise<readonly [string, string]> => {
    const steps = [{ name: 'Open', url: 'https://shop.example.com/' }];
    const body = { name: 's', steps, ...changes };
    const { body: scenario } = await as().post('/v1/scenarios').send(body);
    return [await create(changes), scenario.id];
  };
  const readScenario = async (id: string) => (await as().get(`/v1/scenarios/${id}`)).body;

  it('a bulk action changes monitors and scenarios, with outcomes in the order of the ids', async () => {
    const [monitor, scenario] = await both();
    const ids = [scenario, 'scn_gone', monitor];
    const paused = await all({ ids, action: 'pause', reason: 'release' });
    expect(paused.body.data.map(({ id, ok }: { id: string; ok: boolean }) => [id, ok])).toEqual([
      [scenario, true],
      ['scn_gone', false],
      [monitor, true],
    ]);
    for (const found of [await read(monitor), await readScenario(scenario)])
      expect(found).toMatchObject({ state: 'paused', pauseReason: 'release' });
    await all({ ids, action: 'tag', add: ['eu'], remove: [] });
    await all({ ids, action: 'group', group: 'shop' });
    for (const found of [await read(monitor), await readScenario(scenario)])
      expect(found).toMatchObject({ tags: ['eu'], group: 'shop', groupKey: 'shop' });
    await all({ ids, action: 'group', group: null });
    expect(await readScenario(scenario)).toMatchObject({ group: null, groupKey: 'example.com' });
    await all({ ids, action: 'delete' });
    for (const found of [await read(monitor), await readScenario(scenario)])
      expect(found).toMatchObject({ status: 404 });
  });

  it('a bulk action selects both types by a filter, or only one type', async () => {
    const [monitor, scenario] = await both({ tags: ['old'] });
    await all({ filter: { tag: 'old', type: 'scenario' }, action: 'pause' });
    const states = [(await read(monitor)).state, (await readScenario(scenario)).state];
    expect(states).toEqual(['active', 'paused']);
    expect((await all({ filter: { tag: 'old' }, action: 'pause' })).body.succeeded).toBe(2);
    const events = (await as().get(`/v1/audit-events?resourceId=${scenario}`)).body.data;
    expect(events[0]).toMatchObject({ action: 'scenario.pause', resourceType: 'scenario' });
  });

  it('a bulk action refuses a read-only key and does not find resources of another account', async () => {
    const { body: reader } = await as()
      .post('/v1/api-keys')
      .send({ name: 'r', scopes: ['read'] });
    const ids = await both();
    expect((await all({ ids, action: 'resume' }, reader.key)).status).toBe(403);
    const other = await service.newAccount();
    const { body } = await all({ ids, action: 'delete' }, other.key);
    expect(body.data.map(({ code }: { code: string }) => code)).toEqual(['not_found', 'not_found']);
    expect((await readScenario(ids[1])).state).toBe('active');
  });

  it('a bulk action does not change scenarios if only monitors are selected', async () => {
    const [, scenario] = await both({ tags: ['kept'] });
    const { body } = await bulk({ ids: [scenario], action: 'pause' });
    expect(body.data).toMatchObject([{ id: scenario, ok: false, code: 'not_found' }]);
    await bulk({ filter: { tag: 'kept' }, action: 'pause' });
    expect((await readScenario(scenario)).state).toBe('active');
  });
});

it('a heartbeat gets the group key `heartbeats` when a bulk action removes its group', async () => {
  const schedule = { everySeconds: 600 };
  const body = { type: 'heartbeat', name: 'Backup', schedule, group: 'jobs' };
  const { id } = (await as().post('/v1/monitors').send(body)).body;
  await bulk({ ids: [id], action: 'group', group: null });
  expect(await read(id)).toMatchObject({ group: null, groupKey: 'heartbeats' });
});
