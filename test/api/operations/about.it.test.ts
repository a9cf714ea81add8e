/**
 * Tests what the service shows about itself: its versions and components to owners, and the backlog and load of regions
 * to everyone.
 *
 * Covers:
 * - services/operations/describe-service
 * - services/operations/watchdog/describe-watchdog
 * - models/operations/region-loads
 * - models/operations/watchdog
 */
import request from 'supertest';
import { FIRST_SLOT_MS, monitorRecord } from '../../models/example-records';
import { personOf } from '../people';
import {
  accountOfSuite,
  agentOf,
  METRICS_TOKEN,
  suiteService,
  type TestAccount,
} from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);

beforeEach(() => void Object.assign(service.gateway, SERVERS));

const away = async (): Promise<never> => {
  throw new Error('away');
};
const SERVERS = {
  describe: async () => ({ version: '1.32.0', persistence: 'sqlite' }),
  readBacklogs: async (queues: readonly string[]) =>
    queues.map((queue) => ({ queue, tasks: queue.includes('us-east') ? 3 : 0, oldestMs: 4_000 })),
};

const serviceFor = async (headers: Record<string, string>) => {
  const answer = await request(service.app).get('/v1/account?include=service').set(headers);
  expect(answer.status).toBe(200);
  return answer.body.service;
};

describe('GET /v1/account?include=service', () => {
  it('GET /v1/account?include=service shows an owner the versions and the data folder', async () => {
    const { cookie } = await personOf(service, account.id, 'owner');
    expect(await serviceFor({ cookie })).toEqual({
      version: '0.0.0',
      nodeVersion: process.versions.node,
      database: {
        kind: expect.stringMatching(/^(embedded|mongodb)$/),
        version: expect.any(String),
      },
      temporal: { version: '1.32.0', persistence: 'sqlite' },
      temporalAddress: '127.0.0.1:7233',
      publicUrl: expect.stringMatching(/^https?:/),
      dataFolder: '/data',
      watchdog: null,
    });
  });

  it('GET /v1/account?include=service shows nothing to admins, viewers and keys', async () => {
    for (const role of ['admin', 'editor', 'viewer'] as const) {
      const { cookie } = await personOf(service, account.id, role);
      expect(await serviceFor({ cookie })).toBeNull();
    }
    expect(await serviceFor({ authorization: `Bearer ${account.key}` })).toBeNull();
  });

  it('GET /v1/account?include=service leaves out Temporal while Temporal does not respond', async () => {
    Object.assign(service.gateway, { describe: away });
    const { cookie } = await personOf(service, account.id, 'owner');
    expect(await serviceFor({ cookie })).toMatchObject({ temporal: null, version: '0.0.0' });
  });

  it('GET /v1/account shows the service only with include=service', async () => {
    const { cookie } = await personOf(service, account.id, 'owner');
    const { body } = await request(service.app).get('/v1/account').set({ cookie });
    expect(body).not.toHaveProperty('service');
  });
});

describe('the watchdog', () => {
  const watchdog = {
    maskedUrl: 'https://outside.example/…',
    requires: ['checks', 'storage'],
    everyMs: 60_000,
  };
  const store = () => service.services.stores.watchdog;

  async function watchdogNow() {
    const app = service.appWith({ watchdog });
    const { cookie } = await personOf(service, account.id, 'owner');
    const told = await request(app).get('/v1/account?include=service').set({ cookie });
    const metrics = await request(app)
      .get('/metrics')
      .set('authorization', `Bearer ${METRICS_TOKEN}`);
    const healthy = /^keepwatch_watchdog_healthy (\d)$/m.exec(metrics.text)?.[1];
    return { ...told.body.service.watchdog, healthy };
  }

  it('the facts of the service contain the state of the watchdog, its last reason for failing, and its URL without the path', async () => {
    expect(await watchdogNow()).toMatchObject({
      state: 'waiting',
      url: 'https://outside.example/…',
    });
    const atMs = service.clock.nowMs;
    const at = new Date(atMs).toISOString();
    await store().note({ reason: null, refusal: null, atMs });
    expect(await watchdogNow()).toMatchObject({
      state: 'healthy',
      healthy: '1',
      lastPingAt: at,
      since: at,
      reason: null,
    });
    await store().note({ reason: 'The database does not respond.', refusal: null, atMs });
    expect(await watchdogNow()).toMatchObject({
      state: 'failing',
      healthy: '0',
      lastPingAt: at,
      reason: 'The database does not respond.',
    });
    await store().note({ reason: null, refusal: 'the receiver responded with 404', atMs });
    expect(await watchdogNow()).toMatchObject({
      state: 'unreported',
      reason: 'The receiver responded with 404.',
    });
    expect(await store().claimSilence('Temporal does not respond.')).toBe(true);
    expect(await store().claimSilence('The orchestrator does not respond.')).toBe(false);
    expect(await watchdogNow()).toMatchObject({
      state: 'failing',
      reason: 'Temporal does not respond.',
    });
    await store().note({ reason: null, refusal: null, atMs });
    expect((await watchdogNow()).state).toBe('healthy');
    service.clock.nowMs += 10 * 60_000;
    expect(await watchdogNow()).toMatchObject({ state: 'failing', reason: 'No canary was sent.' });
  });

  it('the watchdog writes a test record to the database, and reads the same record back', async () => {
    expect(await store().storeCanary(1_000)).toBe(1_000);
    expect(await store().storeCanary(2_000)).toBe(2_000);
  });
});

const regionsAt = async (query: string, { key }: { readonly key: string } = account) => {
  const answer = await request(service.app)
    .get(`/v1/regions${query}`)
    .set('authorization', `Bearer ${key}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
};

describe('GET /v1/regions?include=backlog', () => {
  it('GET /v1/regions?include=backlog shows how many checks wait in each region, and for how long', async () => {
    expect(await regionsAt('?include=backlog')).toMatchObject([
      { id: 'eu-west', backlog: { checks: 0, oldestMs: 4_000 } },
      { id: 'us-east', backlog: { checks: 3, oldestMs: 4_000 } },
    ]);
  });

  it('GET /v1/regions?include=backlog shows a null backlog while Temporal is away', async () => {
    Object.assign(service.gateway, { readBacklogs: away });
    expect(await regionsAt('?include=backlog')).toMatchObject([
      { id: 'eu-west', backlog: null },
      { id: 'us-east', backlog: null },
    ]);
    for (const region of await regionsAt('')) expect(region).not.toHaveProperty('backlog');
  });
});

describe('GET /v1/regions?include=load', () => {
  const create = async (owner: TestAccount, path: string, body: object): Promise<string> => {
    const answer = await agentOf(service, owner)().post(path).send(body);
    expect(answer.status).toBe(201);
    return answer.body.id;
  };
  const url = 'https://example.com/';
  const record = (owner: TestAccount, monitorId: string, health: 'up' | 'unknown') => {
    const base = monitorRecord({ accountId: owner.id, monitorId });
    const [first, second] = base.regionsHealth;
    if (first === undefined || second === undefined) throw new Error('two regions');
    return service.recorder.recordMonitorCheck({
      ...base,
      regionsHealth: [first, { ...second, health }],
    });
  };

  it('GET /v1/regions?include=load shows the due checks per minute and the newest check of each region', async () => {
    const owner = await service.newAccount();
    const both = { url, interval: 30, regions: ['eu-west', 'us-east'] };
    const id = await create(owner, '/v1/monitors', { name: 'Shop', ...both });
    const steps = [{ name: 'Open', url }];
    const journey = { name: 'Journey', interval: 120, regions: ['eu-west'], steps };
    await create(owner, '/v1/scenarios', journey);
    await create(owner, '/v1/monitors', { name: 'Paused', ...both, enabled: false });
    expect(await regionsAt('?include=load', owner)).toMatchObject([
      { id: 'eu-west', load: { checksPerMinute: 2.5, lastCheckedAt: null } },
      { id: 'us-east', load: { checksPerMinute: 2, lastCheckedAt: null } },
    ]);
    // No probe of us-east made the check, so the region has no newest check.
    await record(owner, id, 'unknown');
    expect(await regionsAt('?include=load,backlog', owner)).toMatchObject([
      { load: { lastCheckedAt: new Date(FIRST_SLOT_MS).toISOString() }, backlog: {} },
      { load: { lastCheckedAt: null }, backlog: {} },
    ]);
  });

  it('GET /v1/regions?include=load leaves out the checks of other accounts', async () => {
    const [owner, other] = [await service.newAccount(), await service.newAccount()];
    const body = { name: 'Shop', url, interval: 30, regions: ['eu-west'] };
    await record(owner, await create(owner, '/v1/monitors', body), 'up');
    for (const { load } of await regionsAt('?include=load', other))
      expect(load).toEqual({ checksPerMinute: 0, lastCheckedAt: null });
    for (const region of await regionsAt('', owner)) expect(region).not.toHaveProperty('load');
  });

  it('GET /v1/regions refuses an unknown value of include', async () => {
    const answer = await agentOf(service, account)().get('/v1/regions?include=speed');
    expect(answer.status).toBe(400);
  });
});
