/**
 * Tests the route that tests an unsaved monitor, on the real application and database.
 *
 * Covers:
 * - services/monitors/test-monitor
 */
import request from 'supertest';
import { createHousekeeping } from '../../../src/models';
import { outcomeOf } from '../../support/outcomes';
import { accountOfEach, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfEach(service);

beforeEach(async () => {
  service.gateway.test = async () => outcomeOf('up');
});

const BODY = {
  name: 'Draft',
  url: 'https://shop.example.com/{{part}}',
  variables: { part: 'health' },
  retries: 5,
  timeoutMs: 2_000,
  regions: ['eu-west'],
  region: 'us-east',
};

function tryOut(body: object) {
  return request(service.app)
    .post('/v1/monitors/test')
    .set('Authorization', `Bearer ${account.key}`)
    .send(body);
}

const revisions = () =>
  service.database.database.models.revisions.countDocuments({ accountId: account.id });

it('a test of an unsaved monitor returns one result of kind test and stores nothing', async () => {
  const answer = await tryOut(BODY);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    id: null,
    monitorId: null,
    kind: 'test',
    trigger: 'test',
    region: 'us-east',
    status: 'up',
    ok: true,
    responseTimeMs: 12,
  });
  const list = await request(service.app)
    .get('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`);
  expect(list.body.data).toEqual([]);
  expect(await service.database.database.models.results.countDocuments({})).toBe(0);
  expect(await revisions()).toBe(0);
});

it('a test sends one request without retries, and stores its definition only while it runs', async () => {
  service.gateway.test = async (config) => {
    const { revisions: store } = service.services.stores;
    const stored = await store.find(config.accountId, 'monitor', config.id, config.revision);
    expect(stored).toMatchObject({ steps: [{ url: BODY.url, retries: 0 }] });
    expect(config).toMatchObject({ regions: ['us-east'], budgetMs: 2_000, paused: false });
    return outcomeOf('down');
  };
  expect((await tryOut(BODY)).body).toMatchObject({ status: 'down', ok: false });
});

it("a test's definition is deleted if Temporal fails or if a crash left it behind", async () => {
  service.gateway.away = 'work';
  expect((await tryOut(BODY)).body).toMatchObject({ status: 503, code: 'unavailable' });
  service.gateway.away = null;
  expect(await revisions()).toBe(0);
  const { stores, clock, newId } = service.services;
  const left = {
    kind: 'monitor',
    id: newId('monitor'),
    revision: 1,
    variables: [],
    steps: [],
  } as const;
  await stores.revisions.saveForTest(account.id, left, {
    region: 'eu-west',
    expiresAtMs: clock.now() + 60_000,
  });
  const saved = { ...left, id: newId('monitor') };
  await stores.revisions.save(account.id, saved);
  await stores.revisions.removeTest(account.id, saved.id, 1);
  await stores.revisions.removeTest('acc_other', left.id, 1);
  expect(await revisions()).toBe(2);
  service.clock.nowMs += 3_600_000;
  await createHousekeeping(service.database.database, clock).sweepExpired(5_000);
  expect(await stores.revisions.find(account.id, 'monitor', left.id, 1)).toBeNull();
  expect(await stores.revisions.find(account.id, 'monitor', saved.id, 1)).toEqual(saved);
});

it.each([
  [{ url: 'http://169.254.169.254/' }, 'blocked_target', 'url'],
  [{ region: 'moon' }, 'unknown_region', 'region'],
  [{ region: undefined }, 'validation_failed', 'region'],
  [{ url: 'https://{{unknown}}/' }, 'unknown_variable', 'url'],
  [{ timeoutMs: 499 }, 'validation_failed', 'timeoutMs'],
])('a test of %j is refused, and nothing is sent', async (change, code, path) => {
  const callsBefore = service.gateway.calls.length;
  const { body } = await tryOut({ ...BODY, ...change });
  expect(body).toMatchObject({ status: 400, code, errors: [{ path }] });
  expect(service.gateway.calls.length).toBe(callsBefore);
});

/** For each type of monitor, its required fields and the fields that show its target. */
const KINDS = [
  {
    type: 'tcp',
    least: { host: 'DB.example.com', port: 5432 },
    shown: { host: 'db.example.com', port: 5432, useTls: false, startTls: null, expect: null },
    url: 'tcp://db.example.com:5432',
    groupKey: 'example.com',
    blocked: { host: '169.254.169.254' },
  },
  {
    type: 'tls',
    least: { host: 'shop.example.com' },
    shown: { host: 'shop.example.com', port: 443, minVersion: 'TLSv1.2', names: [] },
    url: 'tls://shop.example.com:443',
    groupKey: 'example.com',
    blocked: { host: '169.254.169.254' },
  },
  {
    type: 'dns',
    least: { host: 'example.com', record: 'MX', servers: ['1.1.1.1:53'] },
    shown: { host: 'example.com', record: 'MX', servers: ['1.1.1.1'], agree: 'all' },
    url: 'dns://example.com/MX',
    groupKey: 'example.com',
    blocked: { servers: ['169.254.169.253'] },
  },
  {
    type: 'ping',
    least: { host: 'router.example.com' },
    shown: { host: 'router.example.com', count: 3, lossPercent: 50, p95Ms: null },
    url: 'ping://router.example.com',
    groupKey: 'example.com',
    blocked: { host: '169.254.169.254' },
  },
  {
    type: 'websocket',
    least: { url: 'wss://api.example.com/events', headers: { 'x-client': 'keepwatch' } },
    shown: { headers: { 'x-client': 'keepwatch' }, subprotocol: null, send: null, expect: null },
    url: 'wss://api.example.com/events',
    groupKey: 'example.com',
    blocked: { url: 'ws://169.254.169.254/' },
  },
  {
    type: 'grpc',
    least: { host: 'grpc.example.com', port: 50_051, service: 'shop.Orders' },
    shown: { host: 'grpc.example.com', port: 50_051, useTls: false, service: 'shop.Orders' },
    url: 'grpc://grpc.example.com:50051/shop.Orders',
    groupKey: 'example.com',
    blocked: { host: '169.254.169.254' },
  },
  {
    type: 'domain',
    least: { host: 'Example.com', interval: 3_600 },
    shown: { host: 'example.com', warnDays: [30, 14, 7, 3, 1], domainExpiresAt: null },
    url: 'domain://example.com',
    groupKey: 'example.com',
    // No host is blocked, because a domain check connects only to registries that it looks up itself.
    blocked: null,
  },
] as const;

function call(verb: 'get' | 'post' | 'put' | 'patch', path: string, body?: object) {
  const asked = request(service.app)[verb](path).set('Authorization', `Bearer ${account.key}`);
  return body === undefined ? asked : asked.send(body);
}

describe.each(KINDS)('a monitor of the type $type', ({ type, least, shown, url, ...kind }) => {
  const body = { type, name: 'Server', ...least };

  it('a monitor of each type is created, read, replaced, patched, listed and exported with its own fields', async () => {
    const created = await call('post', '/v1/monitors', { ...body, key: `server-${type}` });
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        type,
        ...shown,
        interval: 'interval' in least ? 3_600 : 60,
        timeoutMs: 10_000,
        retries: 1,
        groupKey: kind.groupKey,
      },
    ]);
    expect(created.body.url).toBe('url' in least ? url : undefined);
    const path = `/v1/monitors/${created.body.id}`;
    const read = await call('get', path);
    expect((await call('put', path, read.body)).body.version).toBe(1);
    const patched = await call('patch', path, { degradedAboveMs: 500, quorum: 2 });
    expect(patched.body).toMatchObject({ type, ...shown, degradedAboveMs: 500, version: 2 });
    const checks = await call('get', '/v1/checks?q=server');
    expect(checks.body.data).toMatchObject([{ type: 'monitor', url }]);
    const exported = await call('get', '/v1/export');
    expect(exported.body.monitors).toMatchObject([{ key: `server-${type}`, type }]);
    const applied = await call('post', '/v1/apply', { ...exported.body, dryRun: true });
    expect(applied.body.summary).toMatchObject({ unchanged: 1, update: 0, create: 0 });
  });

  it('a monitor of each type refuses all fields of other types together, each by name', async () => {
    const refused = await call('post', '/v1/monitors', {
      ...body,
      expectedText: 'x',
      method: 'GET',
      schedule: { everySeconds: 60 },
      timeoutMs: 1,
    });
    const message = `is not a field of the type ${type}`;
    expect(refused.body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(refused.body.errors).toEqual(
      expect.arrayContaining([
        ...['expectedText', 'method', 'schedule'].map((field) => ({
          path: field,
          code: 'unknown_field',
          message,
        })),
        expect.objectContaining({ path: 'timeoutMs', code: 'out_of_bounds' }),
      ]),
    );
    const { id } = (await call('post', '/v1/monitors', body)).body;
    const changed = await call('patch', `/v1/monitors/${id}`, { type: 'http' });
    expect(changed.body).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it('a monitor of each type is refused if the target guard refuses its target', async () => {
    const { blocked } = kind;
    if (blocked === null) return;
    const [path] = Object.keys(blocked);
    const refused = await call('post', '/v1/monitors', { ...body, ...blocked });
    expect(refused.body).toMatchObject({ status: 400, code: 'blocked_target' });
    expect(refused.body.errors[0].path).toMatch(new RegExp(`^${path}`));
  });

  it('a monitor of each type can be tested before it is saved', async () => {
    service.gateway.test = async (config) => {
      const { revisions: store } = service.services.stores;
      const stored = await store.find(config.accountId, 'monitor', config.id, config.revision);
      expect(stored).toMatchObject({ steps: [{ type, url, retries: 0, showsBody: true }] });
      return outcomeOf('up');
    };
    const tested = await tryOut({ ...body, region: 'us-east' });
    expect(tested.body).toMatchObject({ kind: 'test', status: 'up' });
  });
});

it('a heartbeat cannot be tested, since a heartbeat sends nothing', async () => {
  const body = { type: 'heartbeat', name: 'Job', schedule: { everySeconds: 60 } };
  const { body: refused } = await tryOut({ ...body, region: 'us-east' });
  expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
});
