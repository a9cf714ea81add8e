/**
 * Tests the metrics that Prometheus scrapes. The text is valid, the number of series is limited, and unauthorized
 * requests get nothing.
 *
 * Covers:
 * - services/operations/read-metrics
 */
import type { Express } from 'express';
import request from 'supertest';
import { createApp } from '../../../src/api/create-app';
import { createMetrics, type Metrics } from '../../../src/api/operator/metrics-router';
import { createRecordWrites } from '../../../src/models';
import { createLogger } from '../../../src/platform/logger';
import { createCheckRecorder } from '../../../src/services/results/record-check';
import {
  failingOutcome,
  monitorRecord,
  passingOutcome,
  runRecord,
  scenarioRecord,
} from '../../models/example-records';
import {
  METRICS_TOKEN,
  openTestService,
  PUBLIC_URL,
  SECRET_KEY,
  type TestAccount,
  type TestService,
} from '../test-service';
import { parseMetrics } from './parse-metrics';

/** Number of monitors. It is more than the number of monitors that get all series. */
const MONITORS = 1_200;
const DAY_MS = 86_400_000;
const TOKEN = { Authorization: `Bearer ${METRICS_TOKEN}` };
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await openTestService();
  account = await service.newAccount();
});
afterAll(() => service.close());

async function scrape(): Promise<ReturnType<typeof parseMetrics>> {
  service.clock.nowMs += 60_000;
  const answer = await request(service.app).get('/metrics').set(TOKEN);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  return parseMetrics(answer.text);
}

async function addMonitors(count: number): Promise<void> {
  const { models } = service.database.database;
  const as = request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
  const first = await as
    .post('/v1/monitors')
    .send({ name: 'odd', url: 'http://example.com', regions: ['eu-west'] });
  expect(first.status).toBe(201);
  // Requests whose names contain a line break are refused, but a stored name may contain one.
  const name = 'odd "name"\n\\ x';
  await models.monitors.updateOne({ _id: first.body.id }, { $set: { name } });
  const row = await models.monitors.findOne({ _id: first.body.id }).lean();
  const rows = Array.from({ length: count - 1 }, () => ({
    ...row,
    _id: service.services.newId('monitor'),
  }));
  await models.monitors.insertMany(rows);
  const regions = ['eu-west', 'us-east'].map((region) => ({
    region,
    health: 'up',
    sinceMs: 1,
    lastResponseTimeMs: 250,
  }));
  const phases = { dnsMs: 1, connectMs: 1, tlsMs: 1, ttfbMs: 1, downloadMs: 1 };
  const measured = regions.map(({ region }) => ({
    region,
    statusCode: 200,
    slotMs: service.clock.nowMs - (region === 'eu-west' ? 200_000 : 0),
    ...phases,
  }));
  const ids = [first.body.id, ...rows.map(({ _id }) => _id)];
  await models.statuses.bulkWrite(
    ids.map((_id, index) => ({
      updateOne: {
        filter: { _id, accountId: account.id },
        update: {
          $set: {
            health: 'up',
            regionsHealth: regions,
            nextSlotMs: 1_000,
            measured,
            isWatched: index % 4 === 0,
          },
        },
        upsert: true,
      },
    })),
  );
}

test('each of 1,200 monitors has two series per region, and each of the newest 1,000 has six more', async () => {
  await addMonitors(MONITORS);
  const samples = await scrape();
  const of = (name: string) => samples.filter((sample) => sample.name === name);
  expect(of('probe_success')).toHaveLength(2 * MONITORS);
  expect(of('probe_duration_seconds')).toHaveLength(2 * MONITORS);
  expect(of('probe_http_status_code')).toHaveLength(2 * 1_000);
  expect(of('probe_http_duration_seconds')).toHaveLength(2 * 1_000 * 5);
  expect(of('probe_success').every(({ value }) => value === 1)).toBe(true);
  expect(of('probe_duration_seconds')[0]?.value).toBe(0.25);
  expect(of('keepwatch_resources')).toContainEqual(
    expect.objectContaining({ labels: { health: 'up' }, value: MONITORS }),
  );
  expect(of('keepwatch_slot_lag_seconds')[0]?.value).toBeGreaterThan(1000);
  expect(
    of('keepwatch_monitors_checked').map(({ labels, value }) => [labels['path'], value]),
  ).toEqual([
    ['watch', MONITORS / 4],
    ['full', (3 * MONITORS) / 4],
  ]);
  expect(of('keepwatch_watches').map(({ labels, value }) => [labels['region'], value])).toEqual([
    ['eu-west', MONITORS / 4],
    ['us-east', MONITORS / 4],
  ]);
  expect(
    of('keepwatch_watches_overdue').map(({ labels, value }) => [labels['region'], value]),
  ).toEqual([
    ['eu-west', MONITORS / 4],
    ['us-east', 0],
  ]);
  expect(of('keepwatch_metrics_truncated')[0]?.value).toBe(0);
  const names = new Set(samples.map(({ labels }) => labels['name']));
  expect(names).toContain('odd "name"\n\\ x');
  const { models } = service.database.database;
  await models.monitors.deleteMany({ accountId: account.id });
  await models.statuses.deleteMany({ accountId: account.id });
});

test('watches that moved to another probe or returned to the workflow are counted by region', async () => {
  const { watches } = service.services.stores;
  await watches.addToTotals('eu-west', { handedOver: 24 });
  await watches.addToTotals('eu-west', { handedOver: 6 });
  await watches.addToTotals('us-east', { returned: 2 });
  const samples = await scrape();
  const totals = ['keepwatch_watches_handed_over', 'keepwatch_watches_returned'].map((name) =>
    samples
      .filter((sample) => sample.name === name)
      .map(({ labels, value }) => `${labels['region']} ${value}`)
      .toSorted(),
  );
  expect(totals).toEqual([
    ['eu-west 30', 'us-east 0'],
    ['eu-west 0', 'us-east 2'],
  ]);
});

describe('metrics of checks', () => {
  const as = () => request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
  const STEPS = [{ name: 'log in', url: 'https://x.example.com/' }];
  let other: TestAccount;
  beforeAll(async () => {
    other = account;
    account = await service.newAccount();
  });
  afterAll(() => {
    account = other;
  });

  async function create(path: string, body: object): Promise<string> {
    const answer = await as()
      .post(path)
      .send({ name: 'Shop', tags: ['web', 'shop'], ...body });
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  async function seriesOf(label: string, id: string) {
    const samples = await scrape();
    return (name: string) =>
      samples
        .filter((sample) => sample.name === name && sample.labels[label] === id)
        .map(({ labels, value }) => ({ ...labels, value }));
  }

  test('the metrics of a monitor contain the status code and the phases of its last request in each region', async () => {
    const monitorId = await create('/v1/monitors', { url: 'https://x.example.com/' });
    const recorder = createCheckRecorder(createRecordWrites(service.database.database));
    const outcomes = [
      { region: 'eu-west', outcome: passingOutcome() },
      { region: 'us-east', outcome: failingOutcome() },
    ];
    const slotMs = service.clock.nowMs;
    await recorder.recordMonitorCheck(
      monitorRecord({ accountId: account.id, monitorId, slotMs, outcomes }),
    );
    const of = await seriesOf('monitor', monitorId);
    expect(of('probe_http_status_code')).toMatchObject([
      { region: 'eu-west', value: 200 },
      { region: 'us-east', value: 0 },
    ]);
    const { timings } = passingOutcome();
    const phases = of('probe_http_duration_seconds').filter(
      (series) => 'region' in series && series.region === 'eu-west',
    );
    expect(phases).toMatchObject([
      { phase: 'resolve', value: Number(timings?.dnsMs) / 1000 },
      { phase: 'connect', value: Number(timings?.connectMs) / 1000 },
      { phase: 'tls', value: Number(timings?.tlsMs) / 1000 },
      { phase: 'processing', value: Number(timings?.ttfbMs) / 1000 },
      { phase: 'transfer', value: Number(timings?.downloadMs) / 1000 },
    ]);
    const tags = (await seriesOf('resource', monitorId))('keepwatch_resource_tag');
    expect(tags).toMatchObject([
      { tag: 'web', value: 1 },
      { tag: 'shop', value: 1 },
    ]);
  });

  test('the metrics of a heartbeat contain its state, last ping, due time and runs in progress', async () => {
    const schedule = { everySeconds: 60 };
    const monitorId = await create('/v1/monitors', { type: 'heartbeat', schedule });
    expect((await seriesOf('monitor', monitorId))('keepwatch_heartbeat_running')).toEqual([]);
    const recorder = createCheckRecorder(createRecordWrites(service.database.database));
    const slotMs = service.clock.nowMs;
    const running = [{ runId: 'a', startedAtMs: slotMs, isOverdue: false }];
    const heartbeat = { lastPingAtMs: slotMs, dueAtMs: slotMs + 60_000, isLate: true, running };
    const region = 'heartbeat';
    const regionsHealth = [
      { region, health: 'up', sinceMs: slotMs, lastResponseTimeMs: 1_500 },
    ] as const;
    await recorder.recordMonitorCheck(
      monitorRecord({
        accountId: account.id,
        monitorId,
        slotMs,
        outcomes: [{ region, outcome: passingOutcome() }],
        regionsHealth,
        heartbeat,
      }),
    );
    const of = await seriesOf('monitor', monitorId);
    const named = (name: string) => of(`keepwatch_heartbeat_${name}`);
    expect(named('last_ping_timestamp_seconds')).toMatchObject([{ value: slotMs / 1_000 }]);
    expect(named('next_due_timestamp_seconds')).toMatchObject([{ value: slotMs / 1_000 + 60 }]);
    expect(named('late')).toMatchObject([{ value: 1, name: 'Shop' }]);
    expect(named('running')).toMatchObject([{ value: 1 }]);
    expect(of('probe_success')).toMatchObject([{ region, value: 1 }]);
    expect(of('probe_http_status_code')).toEqual([]);
  });

  test('the metrics of a scenario contain its state in each region, and the step of its last run that failed', async () => {
    const scenarioId = await create('/v1/scenarios', { steps: STEPS });
    const recorder = createCheckRecorder(createRecordWrites(service.database.database));
    const owner = { accountId: account.id, scenarioId };
    const slotMs = service.clock.nowMs;
    const earlier = await seriesOf('scenario', scenarioId);
    expect(earlier('keepwatch_scenario_failed_step')).toEqual([]);
    expect(earlier('keepwatch_scenario_steps')).toMatchObject([{ value: STEPS.length }]);
    const failure = {
      code: 'assertion_failed',
      message: 'no',
      phase: null,
      stepIndex: 1,
      stepName: 'order',
    } as const;
    const run = runRecord({ ...owner, slotMs, status: 'failed', finishedAtMs: slotMs, failure });
    await recorder.saveRun(run);
    const regionsHealth = [
      { region: 'eu-west', health: 'down', sinceMs: slotMs, lastResponseTimeMs: 1_500 },
    ] as const;
    await recorder.recordScenarioSlot(
      scenarioRecord({
        ...owner,
        slotMs,
        runId: run.runId,
        health: 'down',
        regionsHealth,
        tlsExpiresAtMs: slotMs + 9 * DAY_MS,
        tlsRungs: [
          { days: 14, atMs: slotMs - 5 * DAY_MS },
          { days: 3, atMs: slotMs + 6 * DAY_MS },
        ],
      }),
    );
    const shown = async () => (await as().get(`/v1/scenarios/${scenarioId}`)).body.tlsWarning;
    expect(await shown()).toBe(14);
    const of = await seriesOf('scenario', scenarioId);
    expect(of('keepwatch_scenario_success')).toMatchObject([{ region: 'eu-west', value: 0 }]);
    expect(of('keepwatch_scenario_duration_seconds')).toMatchObject([{ value: 1.5 }]);
    expect(of('keepwatch_scenario_failed_step')).toMatchObject([{ name: 'Shop', value: 2 }]);
    expect(of('keepwatch_scenario_last_run_timestamp_seconds')).toMatchObject([
      { value: slotMs / 1000 },
    ]);
    expect(of('keepwatch_scenario_ssl_earliest_cert_expiry')).toMatchObject([
      { value: Math.floor((slotMs + 9 * DAY_MS) / 1_000) },
    ]);
    expect(of('keepwatch_scenario_tls_warning_days')).toMatchObject([{ value: 14 }]);
    service.clock.nowMs += 6 * DAY_MS;
    expect(await shown()).toBe(3);
  });
});

test('requests are counted by route template, so ids do not create series', async () => {
  const as = request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
  for (let index = 0; index < 20; index += 1)
    await as.get(`/v1/monitors/${service.services.newId('monitor')}`);
  await as.get('/nonsense/1');
  const routes = new Set((await scrape()).map(({ labels }) => labels['route']));
  expect(routes).toContain('/v1/monitors/:monitorId');
  expect(routes).toContain('other');
  expect([...routes].filter((route) => route?.includes('mon_'))).toEqual([]);
});

test('OTLP exports the same metrics as Prometheus, under the same names', async () => {
  const { services } = service;
  const metrics = createMetrics({ metricsToken: null, publicUrl: LOCAL_URL }, services);
  const app = appAt(LOCAL_URL, metrics);
  const scraped = await request(app).get('/metrics');
  const declared = [...scraped.text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, ...one]) => one);
  const read = await metrics.read();
  expect(read.map(({ name, type }) => [name, String(type)])).toEqual(declared);
  const byName = (name: string): number =>
    read.find((metric) => metric.name === name)?.values.length ?? 0;
  const scrapedByName = parseMetrics(scraped.text).filter(({ name }) => name === 'probe_success');
  expect(byName('probe_success')).toBe(scrapedByName.length);
});

const LOCAL_URL = 'http://localhost:3000';

/** Creates an application at this public URL, without a metrics token by default. */
function appAt(publicUrl: string, metrics?: Metrics): Express {
  const options = {
    logger: createLogger('test', 'silent'),
    newRequestId: () => service.services.newId('request'),
    readReadiness: async () => ({ isReady: true, dependencies: {} }),
    publicUrl,
    secretKeys: [SECRET_KEY],
    metricsToken: null,
    trustedProxies: 0,
  };
  return createApp(options, service.services, metrics);
}

test('metrics without a token are readable on localhost only, not under a public URL', async () => {
  const statusAt = async (publicUrl: string, headers = {}) =>
    (await request(appAt(publicUrl)).get('/metrics').set(headers)).status;
  expect(await statusAt('http://localhost:3000')).toBe(200);
  expect(await statusAt('http://127.0.0.1:3000')).toBe(200);
  // Both requests may come through a reverse proxy on this machine. A plain proxy does not send the IP address of its
  // client.
  expect(await statusAt(PUBLIC_URL)).toBe(401);
  expect(await statusAt('http://localhost:3000', { 'X-Forwarded-For': '127.0.0.1' })).toBe(401);
});

test('/metrics requires the configured token even on localhost', async () => {
  expect((await request(service.app).get('/metrics')).status).toBe(401);
});

test('/metrics counts refusals by their code', async () => {
  await request(service.app).get('/v1/account');
  await request(service.app).get('/v1/account').set('Authorization', 'Bearer nonsense');
  const counted = (await scrape()).filter(({ name }) => name === 'keepwatch_api_refusals_total');
  const codes = counted.map(({ labels }) => labels['code']);
  expect(codes).toEqual(expect.arrayContaining(['missing_token', 'invalid_token']));
});
