/**
 * Tests maintenance windows on the real application and database. The gateway records the calls to workflows.
 *
 * Covers:
 * - services/maintenance/forget-resource
 * - services/maintenance/maintenance-calendar
 * - services/maintenance/maintenance-plans
 * - services/maintenance/present-maintenance-window
 * - services/maintenance/save-maintenance-window
 */
import request from 'supertest';
import { notifyDueWindows } from '../../../src/services/maintenance/notify-workflows';
import { arranged } from '../arranged';
import { suiteService, type TestAccount } from '../test-service';

const MINUTE = 60_000;
const PATH = '/v1/maintenance-windows';
// Waits between paced calls end at once, so only the test moves the clock.
const service = suiteService({ sleep: async () => undefined });
let account: TestAccount;

beforeEach(async () => {
  service.gateway.away = null;
  service.clock.nowMs = Date.parse('2026-03-20T12:00:00Z');
  account = await service.newAccount();
});

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

function as(verb: Verb, path: string, body?: object) {
  return request(service.app)[verb](path).set('Authorization', `Bearer ${account.key}`).send(body);
}

async function newMonitor(fields: object = {}): Promise<string> {
  const monitor = { name: 'm', url: 'http://shop.example/health', regions: ['eu-west'] };
  return (await arranged(as('post', '/v1/monitors', { ...monitor, ...fields }))).id;
}

const nightly = (change: object = {}) => ({
  name: 'Backups',
  mode: 'mute',
  startsAt: '2026-03-20T02:30:00+01:00',
  durationMinutes: 60,
  rrule: 'RRULE:FREQ=DAILY',
  timeZone: 'Europe/Berlin',
  target: { all: true },
  ...change,
});

const plansOf = (id: string) =>
  service.gateway.calls
    .filter((call) => call.id === id && call.maintenance !== undefined)
    .map(({ maintenance }) => maintenance?.spans ?? []);
const lastPlanOf = (id: string) => plansOf(id).at(-1);
const notifyDue = () => notifyDueWindows(service.services, new AbortController().signal);

test('a maintenance window shows its next five occurrences at the right local time across a daylight saving change', async () => {
  const created = await as('post', PATH, nightly());
  expect(created.status).toBe(201);
  expect(created.headers['location']).toBe(`${PATH}/${created.body.id}`);
  expect(created.headers['etag']).toMatch(/^"1\./);
  service.clock.nowMs = Date.parse('2026-03-27T12:00:00Z');
  await notifyDue();
  const { body } = await as('get', `${PATH}/${created.body.id}`);
  expect(body).toMatchObject({ rrule: 'FREQ=DAILY', state: 'scheduled', version: 1 });
  expect(body.nextOccurrences).toEqual(
    ['28T01:30', '29T01:30', '30T00:30', '31T00:30']
      .map((start) => ({
        startsAt: `2026-03-${start}:00.000Z`,
        endsAt: `2026-03-${start.replace('T01', 'T02').replace('T00', 'T01')}:00.000Z`,
      }))
      .concat([{ startsAt: '2026-04-01T00:30:00.000Z', endsAt: '2026-04-01T01:30:00.000Z' }]),
  );
  const { body: list } = await as('get', PATH);
  expect(list.data).toEqual([body]);
});

test('a maintenance window is refused with every problem of the body and its path', async () => {
  const { status, body } = await as('post', PATH, {
    mode: 'off',
    startsAt: 'tomorrow',
    durationMinutes: 10_081,
    rrule: 'FREQ=HOURLY',
    timeZone: '+01:00',
    target: { ids: ['run_1'], all: true },
    extra: 1,
  });
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
    'durationMinutes',
    'extra',
    'mode',
    'name',
    'rrule',
    'startsAt',
    'target.all',
    'target.ids[0]',
    'timeZone',
  ]);
});

test.each([
  ['a rule that never occurs', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'rrule'],
  ['a rule that has ended', { rrule: 'FREQ=DAILY;UNTIL=20200101T000000Z' }, 'rrule'],
  ['a rule whose occurrences overlap', { durationMinutes: 1441 }, 'rrule'],
  ['a window that has ended', { rrule: null }, 'startsAt'],
  ['a window too far in the future', { startsAt: '2046-01-01T00:00:00Z' }, 'startsAt'],
  ['a target that names nothing', { target: {} }, 'target'],
  ['a target with both `all` and tags', { target: { all: true, tags: ['a'] } }, 'target.all'],
  ['an id of no resource', { target: { ids: [`mon_${'0'.repeat(26)}`] } }, 'target.ids[0]'],
  ['a rule with unknown parts', { rrule: 'FREQ=DAILY;BYSECOND=1' }, 'rrule'],
  ['a rule with impossible numbers', { rrule: 'FREQ=DAILY;BYHOUR=24' }, 'rrule'],
  ['a rule with a part given twice', { rrule: 'FREQ=DAILY;FREQ=WEEKLY' }, 'rrule'],
])(
  'a maintenance window is refused because of %s, and the field is named',
  async (_name, change, path) => {
    const { status, body } = await as('post', PATH, nightly(change));
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors.map((problem: { path: string }) => problem.path)).toEqual([path]);
  },
);

test('a maintenance window notifies only the workflows of checks that it names by id, tag or group', async () => {
  const byId = await newMonitor();
  const byTag = await newMonitor({ tags: ['database'] });
  const byGroup = await newMonitor({ group: 'eu/backend' });
  const others = [await newMonitor({ tags: ['data'] }), await newMonitor({ group: 'eu2' })];
  const { body } = await as(
    'post',
    PATH,
    nightly({ target: { ids: [byId], tags: ['database'], groups: ['eu'] } }),
  );
  for (const id of [byId, byTag, byGroup]) {
    expect(lastPlanOf(id)).toHaveLength(5);
    expect(lastPlanOf(id)?.[0]).toMatchObject({ windowId: body.id, mode: 'mute' });
  }
  for (const id of others) expect(plansOf(id)).toEqual([]);
});

test('a single request starts maintenance at once, and its monitors have the status maintenance until the end', async () => {
  const id = await newMonitor();
  const { status, body } = await as('post', `${PATH}/now`, { minutes: 30, target: { ids: [id] } });
  expect(status).toBe(201);
  expect(body).toMatchObject({ state: 'active', mode: 'mute', durationMinutes: 30 });
  expect(lastPlanOf(id)).toMatchObject([{ fromMs: service.clock.nowMs, mode: 'mute' }]);
  expect((await as('get', `/v1/monitors/${id}`)).body.status).toBe('maintenance');
  expect((await as('get', '/v1/monitors')).body.data[0].status).toBe('maintenance');
  service.clock.nowMs += 15 * MINUTE;
  const { body: uptime } = await as('get', `/v1/monitors/${id}/uptime?window=24h`);
  expect(uptime.seconds.maintenance).toBe(900);
  service.clock.nowMs += 15 * MINUTE;
  expect((await as('get', `/v1/monitors/${id}`)).body.status).toBe('pending');
  expect((await as('get', `${PATH}/${body.id}`)).body.state).toBe('over');
});

test('a monitor paused by maintenance cannot be checked on demand until the maintenance ends', async () => {
  const id = await newMonitor();
  const window = { minutes: 30, target: { all: true }, mode: 'pause' };
  const { body } = await as('post', `${PATH}/now`, window);
  const run = await as('post', `/v1/monitors/${id}/run`);
  expect([run.status, run.body.code]).toEqual([400, 'validation_failed']);
  await as('post', `${PATH}/${body.id}/end`);
  expect((await as('post', `/v1/monitors/${id}/run`)).status).toBe(202);
});

test('ending a maintenance window keeps its later occurrences, and does nothing if no occurrence is active', async () => {
  const id = await newMonitor();
  const { body } = await as('post', PATH, nightly());
  const unchanged = await as('post', `${PATH}/${body.id}/end`);
  expect(unchanged.body.version).toBe(1);
  service.clock.nowMs = Date.parse('2026-03-21T01:45:00Z');
  const ended = await as('post', `${PATH}/${body.id}/end`);
  expect(ended.body).toMatchObject({ version: 2, state: 'scheduled' });
  expect(ended.body.nextOccurrences[0].startsAt).toBe('2026-03-22T01:30:00.000Z');
  expect(lastPlanOf(id)?.[0]?.fromMs).toBe(Date.parse('2026-03-22T01:30:00Z'));
  expect((await as('get', `/v1/monitors/${id}`)).body.status).toBe('pending');
});

test('if the targets of a maintenance window change, the removed and the added checks are notified', async () => {
  const left = await newMonitor({ tags: ['a'] });
  const reached = await newMonitor({ tags: ['b'] });
  const { body } = await as('post', PATH, nightly({ target: { tags: ['a'] } }));
  const changed = await as('patch', `${PATH}/${body.id}`, { target: { tags: ['b'] } });
  expect(changed.body).toMatchObject({ version: 2, target: { tags: ['b'], ids: [] } });
  expect(lastPlanOf(left)).toEqual([]);
  expect(lastPlanOf(reached)).toHaveLength(5);
  expect((await as('delete', `${PATH}/${body.id}`)).status).toBe(204);
  expect(lastPlanOf(reached)).toEqual([]);
  expect((await as('get', `${PATH}/${body.id}`)).status).toBe(404);
  expect((await as('get', PATH)).body.data).toEqual([]);
});

test('a maintenance window that began in the past counts as maintenance only from now on', async () => {
  const id = await newMonitor();
  service.clock.nowMs += 60 * MINUTE;
  const startsAt = '2026-03-20T12:30:00Z';
  await as('post', PATH, nightly({ startsAt, rrule: null, durationMinutes: 60 }));
  expect(lastPlanOf(id)?.[0]?.fromMs).toBe(service.clock.nowMs);
  service.clock.nowMs += 10 * MINUTE;
  const { body: uptime } = await as('get', `/v1/monitors/${id}/uptime?window=24h`);
  expect(uptime.seconds.maintenance).toBe(600);
});

test('a maintenance window refuses a change with an outdated version, and a repeated change has no effect', async () => {
  const { body } = await as('post', PATH, nightly());
  const path = `${PATH}/${body.id}`;
  const stale = await as('patch', path, { name: 'x' }).set('If-Match', '"7"');
  expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
  const fresh = await as('patch', path, { name: 'x' }).set('If-Match', '"1"');
  expect([fresh.status, fresh.headers['etag']]).toEqual([200, expect.stringMatching(/^"2\./)]);
  expect((await as('patch', path, { name: 'x' })).body.version).toBe(2);
});

test('maintenance windows that are saved while Temporal is away are sent to workflows when Temporal is back', async () => {
  const id = await newMonitor();
  service.gateway.away = 'work';
  const { status, body } = await as('post', `${PATH}/now`, { minutes: 30, target: { all: true } });
  expect(status).toBe(201);
  await expect(notifyDue()).rejects.toMatchObject({ code: 'unavailable' });
  service.gateway.away = null;
  await notifyDue();
  expect(lastPlanOf(id)).toHaveLength(1);
  service.gateway.away = 'work';
  expect((await as('delete', `${PATH}/${body.id}`)).status).toBe(204);
  service.gateway.away = null;
  await notifyDue();
  expect(lastPlanOf(id)).toEqual([]);
  expect(await service.services.stores.maintenanceWindows.findAny(account.id, body.id)).toBeNull();
});

test('monitors get a new maintenance plan when an occurrence ends or when a distant occurrence approaches', async () => {
  const id = await newMonitor();
  await as('post', PATH, nightly());
  const far = await as(
    'post',
    PATH,
    nightly({ rrule: null, startsAt: '2026-06-20T00:00:00Z', mode: 'pause' }),
  );
  const told = plansOf(id).length;
  await notifyDue();
  expect(plansOf(id)).toHaveLength(told);
  service.clock.nowMs = Date.parse('2026-03-21T02:30:00Z');
  await notifyDue();
  expect(plansOf(id)).toHaveLength(told + 1);
  expect(lastPlanOf(id)?.[0]?.fromMs).toBe(Date.parse('2026-03-22T01:30:00Z'));
  service.clock.nowMs = Date.parse('2026-06-19T12:00:00Z');
  await notifyDue();
  expect(lastPlanOf(id)?.map(({ windowId }) => windowId)).toContain(far.body.id);
});

test('a monitor that is saved during maintenance has the maintenance plan from the start', async () => {
  await as('post', `${PATH}/now`, { minutes: 30, target: { tags: ['database'] } });
  const id = await newMonitor({ tags: ['database'] });
  expect(service.gateway.lastConfigOf(id)?.maintenance?.spans).toHaveLength(1);
  await as('patch', `/v1/monitors/${id}`, { tags: [] });
  expect(service.gateway.lastConfigOf(id)?.maintenance?.spans).toEqual([]);
});

/** Stores this many more windows, copied from the newest one. */
async function putWindows(count: number): Promise<void> {
  const { maintenanceWindows } = service.database.database.models;
  const row = await maintenanceWindows.findOne({ accountId: account.id }).sort({ _id: -1 }).lean();
  if (row === null) throw new Error('there is no window to put more of');
  const rows = Array.from({ length: count }, () => {
    return { ...row, _id: service.services.newId('maintenance') };
  });
  await maintenanceWindows.insertMany(rows);
}

test('an account has at most 100 maintenance windows', async () => {
  const window = nightly({ target: { tags: ['none'] } });
  await as('post', PATH, window);
  await putWindows(98);
  expect((await as('post', PATH, window)).status).toBe(201);
  const refused = await as('post', PATH, window);
  expect([refused.status, refused.body.code]).toEqual([403, 'limit_reached']);
  const { body: page } = await as('get', `${PATH}?limit=60`);
  const { body: rest } = await as('get', `${PATH}?limit=60&cursor=${page.nextCursor}`);
  const ids = [...page.data, ...rest.data].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(100);
  expect(ids).toEqual([...ids].sort().reverse());
});

test('a maintenance window that has ended does not count towards the limit of 100', async () => {
  const window = nightly({ target: { tags: ['none'] } });
  const over = await as('post', `${PATH}/now`, { minutes: 5, target: { tags: ['none'] } });
  await as('post', `${PATH}/${over.body.id}/end`);
  await as('post', PATH, window);
  await putWindows(98);
  expect((await as('post', PATH, window)).status).toBe(201);
  expect((await as('get', `${PATH}/${over.body.id}`)).status).toBe(404);
  expect((await as('post', PATH, window)).body.code).toBe('limit_reached');
});

test('a maintenance window drops its deleted targets, and is deleted with its last target', async () => {
  const [gone, kept] = [await newMonitor(), await newMonitor({ name: 'kept' })];
  const alone = await as('post', `${PATH}/now`, { minutes: 30, target: { ids: [gone] } });
  const shared = await as('post', PATH, nightly({ target: { ids: [gone, kept] } }));
  const tagged = await as('post', PATH, nightly({ target: { ids: [gone], tags: ['web'] } }));
  expect((await as('delete', `/v1/monitors/${gone}`)).status).toBe(204);
  expect((await as('get', `${PATH}/${alone.body.id}`)).status).toBe(404);
  const targetOf = async (id: string) => (await as('get', `${PATH}/${id}`)).body.target;
  expect(await targetOf(shared.body.id)).toMatchObject({ ids: [kept] });
  expect(await targetOf(tagged.body.id)).toMatchObject({ ids: [], tags: ['web'] });
});
