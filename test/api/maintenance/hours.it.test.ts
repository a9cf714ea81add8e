/**
 * Tests hours on the real application and database. The gateway records the calls to workflows.
 *
 * Covers:
 * - services/maintenance/account-calendar
 * - services/maintenance/hours
 * - services/maintenance/notify-hours
 * - services/resources/resolve-hours
 */
import request from 'supertest';
import { readEscalationStatus } from '../../../src/services/alerting/find-policy';
import { notifyDueHours } from '../../../src/services/maintenance/notify-hours';
import { buildAlert } from '../../support/alert-message';
import { arranged } from '../arranged';
import { suiteService, type TestAccount } from '../test-service';

const HOUR = 3_600_000;
const PATH = '/v1/hours';
/** A Friday. */
const NOON = Date.parse('2026-03-20T12:00:00Z');
const CLOSES = Date.parse('2026-03-20T17:00:00Z');
const OPENS = Date.parse('2026-03-23T08:00:00Z');
// Waits between paced calls end at once, so only the test moves the clock.
const service = suiteService({ sleep: async () => undefined });
let account: TestAccount;

beforeEach(async () => {
  service.gateway.away = null;
  service.clock.nowMs = NOON;
  account = await service.newAccount();
});

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

function as(verb: Verb, path: string, body?: object, key = account.key) {
  return request(service.app)[verb](path).set('Authorization', `Bearer ${key}`).send(body);
}

const shop = (change: object = {}) => ({
  key: 'shop',
  name: 'Shop',
  timeZone: 'Europe/Berlin',
  weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' }],
  ...change,
});

const newHours = (change: object = {}) => arranged(as('post', PATH, shop(change)));

async function newMonitor(fields: object = {}): Promise<string> {
  const monitor = { name: 'm', url: 'http://shop.example/health', regions: ['eu-west'] };
  return (await arranged(as('post', '/v1/monitors', { ...monitor, ...fields }))).id;
}

const plansOf = (id: string) =>
  service.gateway.calls
    .filter((call) => call.id === id)
    .flatMap(({ maintenance, config }) => maintenance ?? config?.maintenance ?? [])
    .map(({ spans }) => spans);
const lastPlanOf = (id: string) => plansOf(id).at(-1);
const notifyDue = () => notifyDueHours(service.services, new AbortController().signal);
const pathsIn = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path);

test('hours show whether they are open now and when that changes', async () => {
  const created = await as('post', PATH, shop({ holidays: ['2026-12-26', '2026-12-25'] }));
  expect(created.status).toBe(201);
  expect(created.headers['location']).toBe(`${PATH}/${created.body.id}`);
  expect(created.body).toMatchObject({
    isOpen: true,
    changesAt: new Date(CLOSES).toISOString(),
    holidays: ['2026-12-25', '2026-12-26'],
  });
  const path = `${PATH}/${created.body.id}`;
  const sentBack = await as('put', path, created.body);
  expect([sentBack.status, sentBack.body]).toEqual([200, created.body]);
  service.clock.nowMs = CLOSES + HOUR;
  const { body } = await as('get', path);
  expect(body).toMatchObject({ isOpen: false, changesAt: new Date(OPENS).toISOString() });
  expect((await as('get', PATH)).body.data).toEqual([body]);
  const changed = await as('patch', path, { name: 'Nights' }).set('If-Match', '"1"');
  expect(changed.body).toMatchObject({ name: 'Nights', version: 2 });
  const stale = await as('patch', path, { name: 'x' }).set('If-Match', '"1"');
  expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
  const renamed = await as('patch', path, { key: 'other' });
  expect(pathsIn(renamed.body)).toEqual(['key']);
  expect((await as('post', PATH, shop())).body.code).toBe('key_taken');
});

test('a recurring holiday closes its day each year, and a date that never occurs is refused', async () => {
  const rule = { rrule: 'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=23' };
  const holidays = [rule, '2026-12-25', { rrule: 'rrule:freq=yearly;bymonth=3;bymonthday=23' }];
  service.clock.nowMs = CLOSES + HOUR;
  const created = await arranged(as('post', PATH, shop({ holidays })));
  expect(created).toMatchObject({
    holidays: ['2026-12-25', rule],
    isOpen: false,
    changesAt: new Date(OPENS + 24 * HOUR).toISOString(),
  });
  const never = { holidays: ['2026-12-25', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }] };
  const refused = await as('patch', `${PATH}/${created.id}`, never);
  expect([refused.status, pathsIn(refused.body)]).toEqual([400, ['holidays[1].rrule']]);
});

test('hours are refused with every problem of the body and its path', async () => {
  const { status, body } = await as('post', PATH, {
    key: 'Not A Key',
    timeZone: 'Europe/Nowhere',
    weekly: [
      { days: ['mon'], from: '09:00', to: '09:00' },
      { days: [], from: '9:00', to: '24:01' },
    ],
    holidays: [
      '2026-02-30',
      { rrule: 'FREQ=YEARLY' },
      { rrule: 'FREQ=WEEKLY;BYDAY=MO;INTERVAL=2' },
      { rrule: 'FREQ=NEVER;BYDAY=MO' },
    ],
    extra: 1,
  });
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(pathsIn(body).sort()).toEqual([
    'extra',
    'holidays[0]',
    'holidays[1].rrule',
    'holidays[2].rrule',
    'holidays[3].rrule',
    'key',
    'name',
    'timeZone',
    'weekly[0].to',
    'weekly[1].days',
    'weekly[1].from',
    'weekly[1].to',
  ]);
});

test.each([
  ['no times at all', { weekly: [] }, 'weekly'],
  [
    'times that overlap',
    {
      weekly: [
        { days: ['mon', 'tue'], from: '09:00', to: '18:00' },
        { days: ['tue'], from: '17:59', to: '20:00' },
      ],
    },
    'weekly[1].from',
  ],
  [
    'a night that overlaps the next morning',
    {
      weekly: [
        { days: ['mon'], from: '01:00', to: '03:00' },
        { days: ['sun'], from: '22:00', to: '02:00' },
      ],
    },
    'weekly[1].from',
  ],
])('hours with %s are refused at the invalid field', async (_name, change, path) => {
  const { status, body } = await as('post', PATH, shop(change));
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(pathsIn(body)).toEqual([path]);
});

test("a monitor names hours by key or id, and the monitor's workflow gets the closed times", async () => {
  const { id: hoursId } = await newHours();
  const monitor = await newMonitor({ hours: hoursId });
  const shown = await as('get', `/v1/monitors/${monitor}`);
  expect(shown.body).toMatchObject({ hours: 'shop', outside: 'quiet' });
  expect(lastPlanOf(monitor)).toHaveLength(10);
  expect(lastPlanOf(monitor)?.[0]).toEqual({
    windowId: hoursId,
    mode: 'quiet',
    fromMs: CLOSES,
    toMs: OPENS,
  });
  const heartbeat = await arranged(
    as('post', '/v1/monitors', {
      type: 'heartbeat',
      name: 'h',
      schedule: { everySeconds: 60 },
      hours: 'shop',
      outside: 'rest',
    }),
  );
  expect(lastPlanOf(heartbeat.id)?.[0]).toMatchObject({ mode: 'pause', fromMs: CLOSES });
  const steps = [{ name: 'a', url: 'http://shop.example/' }];
  const scenario = await arranged(as('post', '/v1/scenarios', { name: 's', steps, hours: 'shop' }));
  expect(lastPlanOf(scenario.id)?.[0]).toMatchObject({ mode: 'quiet', fromMs: CLOSES });
  const other = await newMonitor();
  expect(lastPlanOf(other)).toEqual([]);
  const { body: without } = await as('patch', `/v1/monitors/${monitor}`, { hours: null });
  expect(without).toMatchObject({ hours: null, outside: 'quiet' });
  const unknown = await as('post', '/v1/monitors', {
    name: 'm',
    url: 'http://shop.example',
    hours: 'nights',
  });
  expect([unknown.status, unknown.body.errors]).toMatchObject([
    400,
    [{ path: 'hours', code: 'unknown_key' }],
  ]);
});

test('a monitor that names hours of another account is refused', async () => {
  const { id } = await newHours();
  const stranger = await service.newAccount();
  const monitor = { name: 'm', url: 'http://shop.example' };
  for (const hours of ['shop', id]) {
    const refused = await as('post', '/v1/monitors', { ...monitor, hours }, stranger.key);
    expect([refused.status, pathsIn(refused.body)]).toEqual([400, ['hours']]);
  }
});

test('a change of hours is sent to all checks that use them, at once or as soon as Temporal is back', async () => {
  const { id } = await newHours();
  const monitor = await newMonitor({ hours: 'shop' });
  const steps = [{ name: 'a', url: 'http://shop.example/' }];
  const scenario = await arranged(
    as('post', '/v1/scenarios', { name: 's', steps, hours: 'shop', outside: 'rest' }),
  );
  const weekly = [{ days: ['fri'], from: '09:00', to: '20:00' }];
  await as('patch', `${PATH}/${id}`, { weekly });
  expect(lastPlanOf(monitor)?.[0]).toMatchObject({ mode: 'quiet', fromMs: CLOSES + 2 * HOUR });
  expect(lastPlanOf(scenario.id)?.[0]).toMatchObject({ mode: 'pause', fromMs: CLOSES + 2 * HOUR });
  service.gateway.away = 'work';
  expect((await as('patch', `${PATH}/${id}`, { weekly: shop().weekly })).status).toBe(200);
  expect(lastPlanOf(monitor)?.[0]).toMatchObject({ fromMs: CLOSES + 2 * HOUR });
  await expect(notifyDue()).rejects.toMatchObject({ code: 'unavailable' });
  service.gateway.away = null;
  await notifyDue();
  expect(lastPlanOf(monitor)?.[0]).toMatchObject({ fromMs: CLOSES });
  const told = plansOf(monitor).length;
  await notifyDue();
  expect(plansOf(monitor)).toHaveLength(told);
});

test('a workflow gets more closed times before its known closed times have all passed', async () => {
  await newHours();
  const monitor = await newMonitor({ hours: 'shop' });
  const known = lastPlanOf(monitor) ?? [];
  service.clock.nowMs = (known[4]?.toMs ?? 0) + 1;
  await notifyDue();
  const next = lastPlanOf(monitor) ?? [];
  expect(next[0]).toEqual(known[5]);
  expect(next.length).toBeGreaterThan(5);
});

test('hours in use cannot be deleted, and the refusal names what uses them', async () => {
  const { id } = await newHours();
  const monitor = await newMonitor({ hours: 'shop', name: 'Checkout' });
  const refused = await as('delete', `${PATH}/${id}`);
  expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
  expect(refused.body.errors).toMatchObject([
    { path: monitor, message: expect.stringContaining('Checkout') },
  ]);
  expect((await as('get', '/v1/checks?hours=shop')).body.data).toMatchObject([{ id: monitor }]);
  expect((await as('get', '/v1/checks?hours=other')).body.data).toEqual([]);
  await as('patch', `/v1/monitors/${monitor}`, { hours: null });
  expect((await as('delete', `${PATH}/${id}`)).status).toBe(204);
  expect((await as('get', `${PATH}/${id}`)).status).toBe(404);
});

test('outside its hours, a monitor with `outside: rest` has the status maintenance, and other monitors show their health', async () => {
  await newHours();
  const resting = await newMonitor({ hours: 'shop', outside: 'rest' });
  const quiet = await newMonitor({ hours: 'shop' });
  service.clock.nowMs = CLOSES + HOUR;
  expect((await as('get', `/v1/monitors/${resting}`)).body.status).toBe('maintenance');
  expect((await as('get', `/v1/monitors/${quiet}`)).body.status).toBe('pending');
  const { body: list } = await as('get', '/v1/monitors?status=maintenance');
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual([resting]);
  const { body: others } = await as('get', '/v1/monitors?status=pending');
  expect(others.data.map(({ id }: { id: string }) => id)).toEqual([quiet]);
  const { body: overview } = await as('get', '/v1/overview');
  expect(overview.monitors.byStatus).toMatchObject({ maintenance: 1, pending: 1 });
  const uptime = async (id: string) =>
    (await as('get', `/v1/monitors/${id}/uptime?window=24h`)).body.seconds.maintenance;
  expect([await uptime(resting), await uptime(quiet)]).toEqual([3_600, 0]);
  expect((await as('post', `/v1/monitors/${resting}/run`)).status).toBe(400);
  expect((await as('post', `/v1/monitors/${quiet}/run`)).status).toBe(202);
  service.clock.nowMs = OPENS;
  expect((await as('get', `/v1/monitors/${resting}`)).body.status).toBe('pending');
});

test('an escalation waits for the hours of the failing check', async () => {
  await newHours();
  const monitor = await newMonitor({ hours: 'shop' });
  const alert = buildAlert({
    accountId: account.id,
    incidentId: 'inc_00000000000000000000000000',
    resourceId: monitor,
  });
  const stateAt = async (atMs: number) =>
    (await readEscalationStatus(service.services, alert, atMs)).state;
  expect([await stateAt(NOON), await stateAt(CLOSES), await stateAt(OPENS)]).toEqual([
    'open',
    'hold',
    'open',
  ]);
});

test('apply creates hours before the checks that use the hours, and prune deletes hours and checks', async () => {
  const hours = [{ ...shop(), name: 'Of a set' }];
  const monitors = [{ key: 'm', name: 'M', url: 'http://shop.example', hours: 'shop' }];
  const apply = async (body: object) => (await as('post', '/v1/apply', body)).body;
  const rehearsed = await apply({ hours, monitors, dryRun: true });
  expect(rehearsed.summary).toMatchObject({ create: 2, failed: 0 });
  const made = await apply({ hours, monitors });
  expect(made.summary).toMatchObject({ create: 2, failed: 0 });
  const exported = (await as('get', '/v1/export')).body;
  expect(exported.hours).toEqual(hours);
  expect(exported.monitors).toMatchObject([{ key: 'm', hours: 'shop' }]);
  expect((await apply(exported)).summary).toMatchObject({ create: 0, update: 0, unchanged: 2 });
  const changed = await apply({ hours: [{ ...shop(), name: 'Other' }], monitors });
  expect(changed.objects[0]).toMatchObject({ kind: 'hours', action: 'update', outcome: 'done' });
  const blocked = await apply({ monitors, prune: true });
  expect(blocked.objects).toContainEqual(
    expect.objectContaining({ kind: 'hours', action: 'delete', outcome: 'failed' }),
  );
  const other = [{ key: 'n', name: 'N', url: 'http://shop.example' }];
  expect((await apply({ monitors: other, prune: true })).summary).toMatchObject({ delete: 2 });
  expect((await as('get', PATH)).body.data).toEqual([]);
});
