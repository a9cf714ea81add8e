/**
 * Testing a monitor that is not saved, on the real application and database.
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

it('answers one result of kind test, and leaves nothing behind', async () => {
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

it('lets the probe read the definition meanwhile, and asks for one try', async () => {
  service.gateway.test = async (config) => {
    const { revisions: store } = service.services.stores;
    const stored = await store.find(config.accountId, 'monitor', config.id, config.revision);
    expect(stored).toMatchObject({ steps: [{ url: BODY.url, retries: 0 }] });
    expect(config).toMatchObject({ regions: ['us-east'], budgetMs: 2_000, paused: false });
    return outcomeOf('down');
  };
  expect((await tryOut(BODY)).body).toMatchObject({ status: 'down', ok: false });
});

it('deletes the definition when the engine fails, and what a crash left behind later', async () => {
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
])('%j: sends nothing', async (change, code, path) => {
  const callsBefore = service.gateway.calls.length;
  const { body } = await tryOut({ ...BODY, ...change });
  expect(body).toMatchObject({ status: 400, code, errors: [{ path }] });
  expect(service.gateway.calls.length).toBe(callsBefore);
});
