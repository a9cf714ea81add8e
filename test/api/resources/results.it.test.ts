/**
 * Tests results and uptime as /v1 returns them. The tests record checks in the same way as workflows.
 *
 * Covers:
 * - services/lists/instants
 * - services/monitors/monitor-results
 * - services/regions/regions
 * - services/resources/find-status
 * - services/resources/present-uptime
 * - services/results/present-evidence
 * - services/results/present-result
 */
import request from 'supertest';
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { Gap, MonitorCheckRecord } from '../../../src/contracts/records';
import { monitorRecord, passingOutcome } from '../../models/example-records';
import { accountOfSuite, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
let id: string;
let anchorMs: number;

beforeAll(async () => {
  const { body } = await request(service.app)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`)
    .send({ name: 'm', url: 'http://example.com', interval: 10 });
  id = body.id;
  anchorMs = Date.parse(body.createdAt);
  await settle(0, [outcomeOf('up', 100), outcomeOf('up', 300)]);
  await settle(1, [outcomeOf('degraded', 200), outcomeOf('down', null)]);
  await settle(5, [outcomeOf('unknown', null), outcomeOf('up', 100)], {
    reason: 'missed',
    fromSlotMs: anchorMs + 20_000,
    toSlotMs: anchorMs + 40_000,
    slots: 3,
  });
  service.clock.nowMs = anchorMs + 60_000;
});

function outcomeOf(status: StepOutcome['status'], responseTimeMs: number | null): StepOutcome {
  const at = new Date(anchorMs).toISOString();
  const hasFailed = status === 'down' || status === 'unknown';
  return {
    status,
    startedAt: at,
    finishedAt: at,
    responseTimeMs,
    timings: null,
    request: { method: 'GET', url: 'http://example.com/' },
    response: null,
    tls: null,
    assertions: [],
    failure: hasFailed ? { code: 'timeout', message: 'No answer.', phase: 'ttfb' } : null,
    attempts: [],
    extracted: [],
  };
}

async function settle(
  slot: number,
  [west, east]: readonly [StepOutcome, StepOutcome],
  gap: Gap | null = null,
): Promise<void> {
  const slotMs = anchorMs + slot * 10_000;
  const record: MonitorCheckRecord = {
    accountId: account.id,
    monitorId: id,
    revision: 1,
    kind: 'scheduled',
    trigger: slot === 0 ? 'save' : 'schedule',
    slotMs,
    outcomes: [
      { region: 'eu-west', outcome: west },
      { region: 'us-east', outcome: east },
    ],
    gap,
    excludedPeriods: [],
    incident: null,
    currentIncidentId: null,
    inMaintenance: false,
    health: 'up',
    healthSinceMs: anchorMs,
    regionsHealth: [
      { region: 'eu-west', health: 'up', sinceMs: anchorMs, lastResponseTimeMs: 100 },
    ],
    nextSlotMs: slotMs + 10_000,
  };
  expect(await service.recorder.recordMonitorCheck(record)).toEqual({ gone: false });
}

function get(path: string) {
  return request(service.app).get(path).set('Authorization', `Bearer ${account.key}`);
}

interface Row {
  readonly id: string;
  readonly slot: string;
  readonly region: string;
  readonly status: string;
  readonly gap: object | null;
}

const read = async (query: string) => {
  const { body } = await get(`/v1/monitors/${id}/results?${query}`);
  return body.data.map((row: Row) => [
    (Date.parse(row.slot) - anchorMs) / 10_000,
    row.region,
    row.gap === null ? row.status : 'gap',
  ]);
};

it('the list of results is newest first, with gaps and their reasons', async () => {
  const { body } = await get(`/v1/monitors/${id}/results`);
  const gap = body.data.find((row: Row) => row.gap !== null);
  expect(gap).toMatchObject({
    status: 'unknown',
    ok: false,
    failure: { code: 'missed' },
    gap: { reason: 'missed', slots: 3, from: new Date(anchorMs + 20_000).toISOString() },
  });
  const down = body.data.find((row: Row) => row.status === 'down');
  expect(down).toMatchObject({
    monitorId: id,
    revision: 1,
    slot: new Date(anchorMs + 10_000).toISOString(),
    kind: 'scheduled',
    trigger: 'schedule',
    region: 'us-east',
    ok: false,
    failure: { code: 'timeout', phase: 'ttfb' },
  });
  const slots = (await read('')).map(([slot]: [number]) => slot);
  expect(slots).toEqual([...slots].sort((a: number, b: number) => b - a));
});

it('the list of results can be oldest first: the exact reverse of the default list, page by page', async () => {
  const oldestFirst = (await read('limit=200')).toReversed();
  expect(await read('limit=200&order=oldest')).toEqual(oldestFirst);
  const pages: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const on: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await get(`/v1/monitors/${id}/results?order=oldest&limit=2${on}`);
    pages.push(...body.data);
    cursor = body.nextCursor;
  }
  const all = await get(`/v1/monitors/${id}/results?order=oldest`);
  expect(pages.map((row) => row.id)).toEqual(all.body.data.map((row: Row) => row.id));
  const refused = await get(`/v1/monitors/${id}/results?order=random`);
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'order']);
});

it('results are filtered by region, status and time, including the start and excluding the end', async () => {
  expect(await read('region=eu-west&status=degraded')).toEqual([[1, 'eu-west', 'degraded']]);
  const from = new Date(anchorMs + 10_000).toISOString();
  const to = new Date(anchorMs + 20_000).toISOString();
  expect((await read(`from=${from}&to=${to}`)).sort()).toEqual([
    [1, 'eu-west', 'degraded'],
    [1, 'us-east', 'down'],
  ]);
  expect(await read('region=mars')).toEqual([]);
});

it('results are paged without gaps or repeats while new results arrive', async () => {
  const all = await read('limit=200');
  const seen = [];
  let url: string | undefined = `/v1/monitors/${id}/results?limit=1`;
  while (url !== undefined) {
    const { body, headers }: request.Response = await get(url);
    seen.push(...body.data.map((row: Row) => `${row.slot} ${row.region}`));
    url = headers['link']?.slice(1).split('>')[0];
  }
  expect(seen).toHaveLength(all.length);
  expect(new Set(seen).size).toBe(all.length);
});

it('the response of a monitor contains its last check', async () => {
  const { body } = await get(`/v1/monitors/${id}`);
  expect(body).toMatchObject({
    health: 'up',
    status: 'up',
    nextCheckAt: new Date(anchorMs + 60_000).toISOString(),
    regionsHealth: { 'eu-west': { health: 'up', lastResponseTimeMs: 100 } },
    version: 1,
  });
  expect(body.lastCheckedAt).not.toBeNull();
});

it('the results of an immediate check are found by each request that asked for the check', async () => {
  const post = (path: string, body: object = {}) =>
    request(service.app).post(path).set('Authorization', `Bearer ${account.key}`).send(body);
  const { body: monitor } = await post('/v1/monitors', { name: 'n', url: 'http://example.com' });
  const path = `/v1/monitors/${monitor.id}`;
  const asked = [];
  for (let count = 0; count < 3; count += 1) asked.push(await post(`${path}/run`));
  const [first, ...others] = asked.map(({ body }) => String(body.id));
  const carryOut = (slotMs: number, requestIds: readonly string[]) =>
    service.recorder.recordMonitorCheck(
      monitorRecord({
        accountId: account.id,
        monitorId: monitor.id,
        kind: 'manual',
        trigger: 'manual',
        slotMs,
        requestIds,
      }),
    );
  await carryOut(service.clock.nowMs + 1_000, first === undefined ? [] : [first]);
  await carryOut(service.clock.nowMs + 2_000, others);
  for (const { headers, body } of asked) {
    const { body: found } = await get(headers['location'] ?? '');
    const regions = found.data.map(({ region }: { region: string }) => region);
    expect(regions).toEqual(['eu-west', 'us-east']);
    for (const result of found.data) expect(result.requestIds).toContain(body.id);
  }
  const unknown = await get(`${path}/results?requestId=${service.services.newId('request')}`);
  expect(unknown.body.data).toEqual([]);
  const malformed = await get(`${path}/results?requestId=req_1`);
  expect(malformed.body).toMatchObject({ status: 400, code: 'invalid_query' });
});

it.each(['monitors/ID/results', 'monitors/ID/results/export', 'incidents', 'audit-events'])(
  'the list %s refuses a range that ends before it begins',
  async (path) => {
    const query = 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z';
    const refused = await get(`/v1/${path.replace('ID', id)}?${query}`);
    expect(refused.body).toMatchObject({
      status: 400,
      code: 'invalid_query',
      errors: [{ path: 'to' }],
    });
  },
);

describe('the uptime of a monitor', () => {
  it('the uptime of a monitor does not count unknown or missed slots, or the time before the monitor existed, as down', async () => {
    const { body } = await get(`/v1/monitors/${id}/uptime`);
    expect(body).toMatchObject({
      monitorId: id,
      from: new Date(anchorMs + 60_000 - 86_400_000).toISOString(),
      to: new Date(anchorMs + 60_000).toISOString(),
      availability: 100,
      seconds: { down: 0, paused: 0, maintenance: 0, degraded: 0 },
      successRatio: 0.8,
      checks: { ok: 4, failed: 1, unknown: 1 },
      responseTimeMs: { avg: 175, min: 100, max: 300 },
    });
    expect(body.checks.missed).toBeGreaterThan(0);
    expect(body.byRegion).toMatchObject([
      { region: 'eu-west', availability: 100, checks: { ok: 2, failed: 0, unknown: 1 } },
      { region: 'us-east', availability: null, successRatio: 0.666667 },
    ]);
    const { up, unknown } = body.seconds;
    expect(up + unknown).toBeCloseTo((service.clock.nowMs - anchorMs) / 1000, 3);
    expect(unknown).toBeGreaterThanOrEqual(30);
    expect(body.buckets.length).toBeLessThanOrEqual(300);
  });

  it('the uptime of a monitor is null if nothing was observed', async () => {
    const { body } = await get(`/v1/monitors/${id}/uptime?region=mars&window=7d`);
    expect(body).toMatchObject({ availability: null, successRatio: null, checks: { total: 0 } });
  });

  it('the uptime of a monitor refuses an invalid window, an invalid range, and a window together with a range', async () => {
    for (const query of [
      'window=24h&from=2026-01-01T00:00:00Z',
      'window=25h',
      'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
      'from=yesterday',
    ]) {
      const answer = await get(`/v1/monitors/${id}/uptime?${query}`);
      expect(answer.body).toMatchObject({ status: 400, code: 'invalid_query' });
    }
  });
});

it('one result can be read by its id, but not under another monitor or account', async () => {
  const read = (path: string, key = account.key) =>
    request(service.app).get(path).set('Authorization', `Bearer ${key}`);
  const { body: page } = await read(`/v1/monitors/${id}/results`);
  const [newest] = page.data;
  const path = `/v1/monitors/${id}/results/${encodeURIComponent(newest.id)}`;
  const found = await read(path);
  expect(found.status).toBe(200);
  expect(found.body).toEqual(newest);
  expect((await read(`/v1/monitors/${id}/results/${id}:eu-west:000000000`)).status).toBe(404);
  const { key } = await service.newAccount();
  expect((await read(path, key)).status).toBe(404);
});

it('a passing result loses its headers and body when a newer result of its region arrives', async () => {
  const { body: made } = await request(service.app)
    .post('/v1/monitors')
    .set('Authorization', `Bearer ${account.key}`)
    .send({ name: 'evidence', url: 'http://example.com', regions: ['eu-west'] });
  const recordPassed = async (slot: number): Promise<void> => {
    const { response, ...outcome } = passingOutcome();
    if (response === null) throw new Error('the example has a response');
    const headers = [{ name: 'x-slot', value: String(slot) }];
    const shown = { ...response, headers, bodyPreview: `slot ${slot}` };
    const sent = { method: 'GET', url: 'http://example.com/', headers };
    const measured = { ...outcome, request: sent, response: shown };
    const slotMs = Date.parse(made.createdAt) + slot * 60_000;
    const outcomes = [{ region: 'eu-west', outcome: measured }];
    const check = monitorRecord({ accountId: account.id, monitorId: made.id, slotMs, outcomes });
    await service.recorder.recordMonitorCheck(check);
  };
  await recordPassed(0);
  await recordPassed(1);
  const { body: listed } = await get(`/v1/monitors/${made.id}/results?region=eu-west`);
  const [last, first] = listed.data;
  expect(last).toMatchObject({ request: { headers: null }, response: { headers: null } });
  const { body: shown } = await get(`/v1/monitors/${made.id}/results/${last.id}`);
  expect(shown).toMatchObject({
    request: { method: 'GET', headers: [{ name: 'x-slot', value: '1' }] },
    response: { headers: [{ name: 'x-slot', value: '1' }], bodyPreview: 'slot 1' },
  });
  const { body: earlier } = await get(`/v1/monitors/${made.id}/results/${first.id}`);
  expect(earlier).toMatchObject({
    request: { headers: null },
    response: { headers: null, bodyPreview: null },
  });
});
