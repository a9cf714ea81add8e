/**
 * Tests the list of checks, which contains monitors and scenarios. Also tests the trends of an account, the overview,
 * and the recent slots in lists. Uses the real application and database.
 *
 * Covers:
 * - services/operations/check-figures
 * - services/operations/check-source
 * - services/operations/get-trends
 * - services/operations/list-checks
 * - services/resources/service-fields
 * - services/operations/get-overview
 * - services/operations/stuck-workflows
 * - services/resources/recent-slots
 */

import { trusted } from 'mongoose';
import { createFindFigures } from '../../../src/services/operations/check-figures';
import {
  failingOutcome,
  monitorRecord,
  passingOutcome,
  scenarioRecord,
} from '../../models/example-records';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEPS = [
  { name: 'a', url: 'http://shop.example.com/login' },
  { name: 'b', url: 'http://shop.example.com/cart' },
];

const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);

async function create(path: string, changes: object = {}): Promise<string> {
  const body = path === 'monitors' ? { url: 'http://shop.example.com/' } : { steps: STEPS };
  const answer = await as()
    .post(`/v1/${path}`)
    .send({ name: 'One', ...body, regions: ['eu-west'], ...changes });
  expect(answer.status).toBe(201);
  // Ids sort by time.
  service.clock.nowMs += 1;
  return answer.body.id;
}

async function record(monitorId: string, changes: object): Promise<void> {
  await service.recorder.recordMonitorCheck(
    monitorRecord({ accountId: account.id, monitorId, ...changes }),
  );
}

function incidentFrom(openedAtMs: number, closedAtMs: number | null = null) {
  return {
    id: service.services.newId('incident'),
    openedAtMs,
    closedAtMs,
    cause: { code: 'timeout', message: 'Timed out after 3 s' },
    regions: ['eu-west'],
    firstRunId: null,
  };
}

it('the list of checks contains monitors and scenarios, with the cause and length of failures', async () => {
  const monitorId = await create('monitors', { name: 'Hang', tags: ['web'] });
  const scenarioId = await create('scenarios', { name: 'Buy' });
  const slotMs = service.clock.nowMs;
  const incident = incidentFrom(slotMs);
  await record(monitorId, {
    slotMs,
    health: 'down',
    healthSinceMs: slotMs,
    incident,
    currentIncidentId: incident.id,
    outcomes: [{ region: 'eu-west', outcome: failingOutcome() }],
  });
  await service.recorder.recordScenarioSlot(
    scenarioRecord({ accountId: account.id, scenarioId, slotMs, health: 'up' }),
  );

  const { status, body } = await as().get('/v1/checks');
  const at = new Date(slotMs).toISOString();
  expect(status).toBe(200);
  expect(body.nextCursor).toBeNull();
  expect(body.data).toMatchObject([
    {
      type: 'monitor',
      id: monitorId,
      name: 'Hang',
      steps: 1,
      status: 'down',
      healthSince: at,
      pauseReason: null,
      failure: { code: 'timeout', message: 'Timed out after 3 s', since: at, acknowledgedAt: null },
    },
    {
      type: 'scenario',
      id: scenarioId,
      url: 'http://shop.example.com/login',
      steps: 2,
      status: 'up',
      failure: null,
    },
  ]);
  expect(body.data[0]).not.toHaveProperty('figures');
  expect(body.data[0]).not.toHaveProperty('headers');
});

it('the list of checks names a next page only if that page has items', async () => {
  await create('monitors', { tags: ['a'] });
  await create('monitors', { tags: ['a'] });
  const full = await as().get('/v1/checks?tag=a&limit=2');
  expect(full.body.data).toHaveLength(2);
  expect(full.body.nextCursor).toBeNull();
  const scenario = await create('scenarios', { tags: ['a'] });
  const { body } = await as().get('/v1/checks?tag=a&limit=2');
  const rest = await as().get(`/v1/checks?tag=a&limit=2&cursor=${body.nextCursor}`);
  expect(rest.body).toMatchObject({ data: [{ id: scenario }], nextCursor: null });
});

it('the list of checks pages through monitors and scenarios by cursor, and accepts the filters of both', async () => {
  const older = await create('monitors', { tags: ['a'] });
  const newer = await create('monitors', { tags: ['a'] });
  await create('monitors');
  const scenario = await create('scenarios', { tags: ['a'] });
  const seen: string[] = [];
  for (let path = '/v1/checks?tag=a&limit=1'; ; ) {
    const { status, body } = await as().get(path);
    expect(status).toBe(200);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (body.nextCursor === null) break;
    path = `/v1/checks?tag=a&limit=1&cursor=${body.nextCursor}`;
  }
  expect(seen).toEqual([newer, older, scenario]);
  const { body } = await as().get('/v1/checks?type=scenario');
  expect(body.data).toMatchObject([{ id: scenario }]);
  const foreign = await as().get(`/v1/checks?cursor=${'x'.repeat(20)}`);
  expect(foreign.body.code).toBe('invalid_cursor');
});

it('the list of checks omits figures that take too long to read, but shows figures that were read before', async () => {
  const { services } = service;
  const ids = [await create('monitors'), await create('monitors')];
  const checks = await Promise.all(
    ids.map(async (id) => {
      const resource = await services.stores.monitors.find(account.id, id);
      if (resource === null) throw new Error(`${id} is gone`);
      return { resource, status: null };
    }),
  );
  const findFigures = createFindFigures(services);
  const found = async (...given: [checks: typeof checks, readForMs?: number]) => [
    ...(await findFigures(account.id, ...given)).keys(),
  ];
  expect(await found(checks, 0)).toEqual([]);
  expect(await found(checks.slice(1))).toEqual(ids.slice(1));
  expect(await found(checks, 0)).toEqual(ids.slice(1));
  expect(await found(checks)).toEqual(expect.arrayContaining(ids));
});

it('the list of checks includes uptime over three windows, hourly p95, and the last slots', async () => {
  const monitorId = await create('monitors');
  const createdMs = service.clock.nowMs;
  const outcomes = (ms: number) => [
    { region: 'eu-west', outcome: passingOutcome({ responseTimeMs: ms }) },
  ];
  const upMs = Math.ceil(createdMs / HOUR_MS) * HOUR_MS;
  await record(monitorId, { slotMs: upMs, healthSinceMs: upMs, outcomes: outcomes(100) });
  service.clock.nowMs = upMs + 3 * HOUR_MS;
  const downMs = upMs + 2 * HOUR_MS;
  await record(monitorId, {
    slotMs: downMs,
    health: 'down',
    healthSinceMs: downMs,
    nextSlotMs: service.clock.nowMs + MINUTE_MS,
    outcomes: outcomes(300),
  });

  const { body } = await as().get('/v1/checks?include=figures,recent');
  const [{ figures, recent }] = body.data;
  const twoThirds = expect.closeTo(66.667, 2);
  expect(figures.uptime).toEqual({ '24h': twoThirds, '7d': twoThirds, '30d': twoThirds });
  expect(figures.hourlyP95Ms).toHaveLength(24);
  expect(figures.hourlyP95Ms[20]).toBe(100);
  expect(figures.hourlyP95Ms[21]).toBeNull();
  // Percentiles are within 2 %.
  expect(Math.abs(figures.p95Ms - 300)).toBeLessThanOrEqual(6);
  expect(recent).toHaveLength(2);

  // While the check is down, its uptime decreases by the same amount in the list and on the page of the monitor.
  service.clock.nowMs += 10_000;
  const later = await as().get('/v1/checks?include=figures');
  const page = await as().get(`/v1/monitors/${monitorId}/uptime?window=24h`);
  expect(later.body.data[0].figures.uptime['24h']).toBe(page.body.availability);
  expect(page.body.availability).toBeLessThan(figures.uptime['24h']);
});

it('the list of checks shows the checks with the given ids, and refuses ids with other filters', async () => {
  const monitorId = await create('monitors');
  await create('monitors');
  const scenarioId = await create('scenarios');
  const other = await service.newAccount();
  const path = `/v1/checks?ids=${scenarioId},${monitorId},mon_x`;
  const { body } = await as().get(path);
  expect(body.data).toMatchObject([{ id: monitorId }, { id: scenarioId }]);
  expect((await as(other.key).get(path)).body.data).toEqual([]);
  expect((await as().get(`${path}&tag=a`)).body).toMatchObject({
    code: 'invalid_query',
    errors: [{ path: 'ids' }],
  });
});

it('the account summary compares the last 24 hours with the 24 hours before', async () => {
  const monitorId = await create('monitors');
  const startMs = Math.ceil(service.clock.nowMs / DAY_MS) * DAY_MS;
  const at = (hours: number) => startMs + hours * HOUR_MS;
  const change = async (hours: number, health: string, incident: object | null) => {
    service.clock.nowMs = at(hours);
    await record(monitorId, {
      slotMs: at(hours),
      health,
      healthSinceMs: at(hours),
      incident,
      nextSlotMs: at(48) + MINUTE_MS,
      outcomes: [{ region: 'eu-west', outcome: passingOutcome({ responseTimeMs: 10 + hours }) }],
    });
  };
  const first = incidentFrom(at(6));
  await change(0, 'up', null);
  await change(6, 'down', first);
  await change(12, 'up', { ...first, closedAtMs: at(12) });
  const second = incidentFrom(at(30));
  await change(30, 'down', second);
  await change(32, 'up', { ...second, closedAtMs: at(32) });
  service.clock.nowMs = at(48);

  const { status, body } = await as().get('/v1/overview/trends');
  expect(status).toBe(200);
  expect(body.before).toMatchObject({ availability: 75, incidents: 1, mttrSeconds: 6 * 3_600 });
  expect(body.current).toMatchObject({ incidents: 1, mttrSeconds: 2 * 3_600 });
  expect(body.current.availability).toBeCloseTo((100 * 22) / 24, 3);
  const day = (offset: number) => new Date(startMs + offset * DAY_MS).toISOString().slice(0, 10);
  expect(body.days).toHaveLength(90);
  expect(body.days.slice(-3)).toEqual([
    { date: day(0), incidents: 1, outages: 1, downSeconds: 6 * 3_600 },
    { date: day(1), incidents: 1, outages: 1, downSeconds: 2 * 3_600 },
    { date: day(2), incidents: 0, outages: 0, downSeconds: 0 },
  ]);
  expect(body.days[0]).toMatchObject({ downSeconds: null });

  const other = await service.newAccount();
  const foreign = await as(other.key).get('/v1/overview/trends');
  expect(foreign.body.current).toEqual({
    availability: null,
    incidents: 0,
    outages: 0,
    mttrSeconds: null,
    p95Ms: null,
  });
});

it('the p95 response time of the account is computed from monitors only', async () => {
  const monitorId = await create('monitors');
  const scenarioId = await create('scenarios');
  const slotMs = service.clock.nowMs;
  const outcomes = [{ region: 'eu-west', outcome: passingOutcome({ responseTimeMs: 80 }) }];
  await record(monitorId, { slotMs, outcomes });
  await service.recorder.recordScenarioSlot(
    scenarioRecord({ accountId: account.id, scenarioId, slotMs, durationMs: 60_000 }),
  );
  const { body } = await as().get('/v1/overview/trends');
  expect(body.current.p95Ms).toBeGreaterThan(70);
  expect(body.current.p95Ms).toBeLessThan(90);
});

describe('overview and lists of checks', () => {
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

  const NONE = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, pending: 0, unknown: 0 };

  it('the overview counts every monitor and scenario once, by the status that lists show', async () => {
    const shop = { group: 'shop' };
    const slotMs = service.clock.nowMs;
    const record = async (monitorId: string, changes: object) =>
      service.recorder.recordMonitorCheck(
        monitorRecord({ accountId: account.id, monitorId, slotMs, ...changes }),
      );
    await record(await create('monitors', shop), { health: 'up' });
    await record(await create('monitors', shop), {
      health: 'down',
      incident: openIncident(slotMs),
    });
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

  it('the overview does not count a check as paused after the end of its pause has passed', async () => {
    const id = await create('monitors');
    const until = new Date(service.clock.nowMs + 60_000).toISOString();
    await as().post(`/v1/monitors/${id}/pause`).send({ until });
    const paused = await as().get('/v1/overview');
    expect(paused.body.monitors.byStatus).toEqual({ ...NONE, paused: 1 });
    service.clock.nowMs += 60_001;
    const over = await as().get('/v1/overview');
    expect(over.body.monitors.byStatus).toEqual({ ...NONE, pending: 1 });
  });

  it('the overview of an account shows nothing of other accounts', async () => {
    await create('monitors');
    const other = await service.newAccount();
    const { body } = await as(other.key).get('/v1/overview');
    expect(body).toMatchObject({ monitors: { total: 0 }, groups: [], openIncidents: 0 });
  });

  it('the overview lists each check with a failing workflow once, and only to its own account', async () => {
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

  it('a list with `include=recent` contains the last 30 slots, oldest first, each with its worst region', async () => {
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

  it('recent slots are read from the database again only after another slot was stored, even a late slot', async () => {
    const monitorId = await create('monitors', { regions: ['eu-west'] });
    const firstMs = Math.floor(service.clock.nowMs);
    const record = async (slot: number) => {
      const outcomes = [{ region: 'eu-west', outcome: passingOutcome() }];
      const slotMs = firstMs + slot * 60_000;
      const record = monitorRecord({ accountId: account.id, monitorId, slotMs, outcomes });
      service.clock.nowMs = Math.max(service.clock.nowMs, slotMs);
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

  it('a list of scenarios with `include=recent` contains the runs that count in the uptime', async () => {
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
});
