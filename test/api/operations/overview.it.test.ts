/**
 * The overview, and the recent slots of lists, on the real application and database.
 *
 * Covers:
 * - services/operations/get-overview
 * - services/operations/stuck-workflows
 * - services/resources/recent-slots
 */
import { trusted } from 'mongoose';
import {
  failingOutcome,
  monitorRecord,
  passingOutcome,
  scenarioRecord,
} from '../../models/example-records';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);

async function create(path: string, changes: object = {}): Promise<string> {
  const body = path === 'monitors' ? { url: 'http://shop.example.com' } : { steps: STEPS };
  const answer = await as()
    .post(`/v1/${path}`)
    .send({ name: 'One', ...body, ...changes });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const STEPS = [{ name: 'a', url: 'http://shop.example.com' }];
const NONE = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, pending: 0, unknown: 0 };

it('counts every monitor and scenario once, by the status that lists show', async () => {
  const shop = { group: 'shop' };
  const slotMs = service.clock.nowMs;
  const record = async (monitorId: string, changes: object) =>
    service.recorder.recordMonitorCheck(
      monitorRecord({ accountId: account.id, monitorId, slotMs, ...changes }),
    );
  await record(await create('monitors', shop), { health: 'up' });
  await record(await create('monitors', shop), { health: 'down', incident: openIncident(slotMs) });
  await record(await create('monitors', { tags: ['moving'] }), { health: 'down' });
  await as()
    .post('/v1/maintenance-windows/now')
    .send({ minutes: 5, target: { tags: ['moving'] } });
  await record(await create('monitors', { enabled: false }), { health: 'down' });
  await create('monitors');
  const scenarioId = await create('scenarios');
  await service.recorder.recordScenarioSlot(
    scenarioRecord({ accountId: account.id, scenarioId, slotMs, health: 'degraded' }),
  );

  const { status, body } = await as().get('/v1/overview');
  const rest = { ...NONE, maintenance: 1, paused: 1, pending: 1 };
  expect(status).toBe(200);
  expect(body).toEqual({
    monitors: { total: 5, byStatus: { ...rest, up: 1, down: 1 } },
    scenarios: { total: 1, byStatus: { ...NONE, degraded: 1 } },
    groups: [
      { groupKey: 'example.com', total: 3, byStatus: rest },
      { groupKey: 'shop', total: 2, byStatus: { ...NONE, up: 1, down: 1 } },
    ],
    openIncidents: 1,
    stuck: [],
  });
});

function openIncident(openedAtMs: number) {
  return {
    id: service.services.newId('incident'),
    openedAtMs,
    closedAtMs: null,
    cause: null,
    regions: [],
    firstRunId: null,
  };
}

it('counts a pause as over once its end has passed', async () => {
  const id = await create('monitors');
  const until = new Date(service.clock.nowMs + 60_000).toISOString();
  await as().post(`/v1/monitors/${id}/pause`).send({ until });
  const paused = await as().get('/v1/overview');
  expect(paused.body.monitors.byStatus).toEqual({ ...NONE, paused: 1 });
  service.clock.nowMs += 60_001;
  const over = await as().get('/v1/overview');
  expect(over.body.monitors.byStatus).toEqual({ ...NONE, pending: 1 });
});

it('shows an account nothing of another one', async () => {
  await create('monitors');
  const other = await service.newAccount();
  const { body } = await as(other.key).get('/v1/overview');
  expect(body).toMatchObject({ monitors: { total: 0 }, groups: [], openIncidents: 0 });
});

it('names what is not checked because its workflow fails, once, and to its own account only', async () => {
  const id = service.services.newId('monitor');
  const stuck = {
    workflowId: `monitor-${id}`,
    workflowType: 'monitorWorkflow',
    cause: 'Unhandled',
  };
  const of = (accountId: string) => ({ ...stuck, accountId, resourceId: id });
  const { listStuck } = service.gateway;
  const all = [
    { ...of(account.id), resourceType: 'monitor' as const },
    { ...of(account.id), resourceType: 'monitor' as const },
    { ...of('acc_other'), resourceType: 'scenario' as const },
    { ...stuck, accountId: null, resourceType: null, resourceId: null },
  ];
  Object.assign(service.gateway, { listStuck: async () => all });
  service.clock.nowMs += 60_000;
  const { body } = await as().get('/v1/overview');
  expect(body.stuck).toEqual([{ type: 'monitor', id }]);
  Object.assign(service.gateway, { listStuck: () => Promise.reject(new Error('away')) });
  service.clock.nowMs += 60_000;
  expect((await as().get('/v1/overview')).body.stuck).toEqual([{ type: 'monitor', id }]);
  Object.assign(service.gateway, { listStuck });
});

it('includes the last 30 slots when asked to, oldest first, each with its worst region', async () => {
  const monitorId = await create('monitors');
  service.clock.nowMs += 1;
  const unchecked = await create('monitors');
  const firstMs = service.clock.nowMs;
  for (let slot = 0; slot < 33; slot += 1) {
    const failing = { region: 'us-east', outcome: failingOutcome() };
    const passing = { region: 'eu-west', outcome: passingOutcome({ responseTimeMs: 50 + slot }) };
    const outcomes = slot === 32 ? [passing, failing] : [passing];
    const slotMs = firstMs + slot * 60_000;
    await service.recorder.recordMonitorCheck(
      monitorRecord({ accountId: account.id, monitorId, slotMs, outcomes }),
    );
  }

  const { body } = await as().get('/v1/monitors?include=recent&limit=2');
  const [first, second] = body.data;
  expect(first).toMatchObject({ id: unchecked, recent: [] });
  expect(second.recent).toHaveLength(30);
  const at = (slot: number) => new Date(firstMs + slot * 60_000).toISOString();
  expect(second.recent[0]).toEqual({ at: at(3), status: 'up', responseTimeMs: 53 });
  expect(second.recent[29]).toEqual({ at: at(32), status: 'down', responseTimeMs: 82 });
  const plain = await as().get('/v1/monitors');
  expect(plain.body.data[0]).not.toHaveProperty('recent');
});

it('reads the last slots again only after something was stored, a late slot included', async () => {
  const monitorId = await create('monitors', { regions: ['eu-west'] });
  const firstMs = Math.floor(service.clock.nowMs);
  const record = async (slot: number) => {
    const outcomes = [{ region: 'eu-west', outcome: passingOutcome() }];
    const slotMs = firstMs + slot * 60_000;
    const record = monitorRecord({ accountId: account.id, monitorId, slotMs, outcomes });
    await service.recorder.recordMonitorCheck(record);
    service.clock.nowMs += 10_000;
  };
  const slots = async () => {
    const { body } = await as().get('/v1/monitors?include=recent');
    const at: readonly string[] = body.data[0].recent.map((slot: { at: string }) => slot.at);
    return at.map((text) => (Date.parse(text) - firstMs) / 60_000);
  };
  const { results } = service.database.database.models;
  const range = trusted({ $gte: `${monitorId}:`, $lt: `${monitorId};` });
  await record(1);
  expect(await slots()).toEqual([1]);
  await results.deleteMany({ _id: range });
  expect(await slots()).toEqual([1]);
  await record(3);
  expect(await slots()).toEqual([3]);
  await record(2);
  expect(await slots()).toEqual([2, 3]);
});

it('includes the counted runs of scenarios, and goes on with a cursor of the plain list', async () => {
  await create('scenarios');
  service.clock.nowMs += 1;
  const scenarioId = await create('scenarios', { regions: ['eu-west'] });
  const slotMs = service.clock.nowMs;
  await service.recorder.recordScenarioSlot(
    scenarioRecord({ accountId: account.id, scenarioId, slotMs, runStatus: 'failed' }),
  );
  const first = await as().get('/v1/scenarios?include=recent&limit=1');
  const at = new Date(slotMs).toISOString();
  expect(first.body.data[0].recent).toEqual([{ at, status: 'down', responseTimeMs: 1_234 }]);
  const next = await as().get(`/v1/scenarios?limit=1&cursor=${first.body.nextCursor}`);
  expect(next.status).toBe(200);
  expect((await as().get('/v1/scenarios?include=all')).body.code).toBe('invalid_query');
});
