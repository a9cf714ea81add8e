/**
 * Tests an installation that loses one part for a while: the probe of a region, the orchestrator during maintenance,
 * the API that receives pings, or the network of a probe. No loss counts as a failure of a target or a job, and no one
 * is notified.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { PROBE_HELLO_EVERY_MS } from '../../src/contracts/probe-protocol';
import { openCli } from '../cli/in-process-cli';
import { connectTo } from '../models/test-database';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { startService, type TestService } from '../support/service';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';

const ANY = z.looseObject({});
const regionPage = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      workers: z.number(),
      lastSeenAt: z.string().nullable(),
      networkSuspectSince: z.string().nullable(),
    }),
  ),
});
const monitorShape = z.object({
  health: z.string(),
  currentIncidentId: z.string().nullable(),
  regionsHealth: z.record(z.string(), z.object({ health: z.string() })),
});
const heartbeatShape = z.object({ id: z.string(), pingUrl: z.string(), running: z.array(ANY) });
/**
 * Upper bound, in seconds, of the time for which a job may be silent or run. The API is killed and restarted within
 * this time.
 */
const JOB_SECONDS = 30;
const AWAY_MS = 5_000;
const APPLIED = 50;

let service: TestService;
let target: SwitchableTarget;
let canary: LoopbackServer;
let hook: HttpSink;
let api: ApiClient;
let apiKey: string;

beforeAll(async () => {
  [target, hook] = await Promise.all([startSwitchableTarget(), startHttpSink()]);
  canary = await startLoopbackServer((_request, response) => response.end());
  service = await startService({
    regions: ['eu-west', 'us-east'],
    environment: {
      KEEPWATCH_REGIONS: 'eu-west,us-east,ap-south',
      KEEPWATCH_CANARY_HOSTS: `127.0.0.1:${canary.port}`,
    },
  });
  ({ apiKey } = await service.setup());
  api = createApiClient(service.url, apiKey);
  const body = { name: 'hook', type: 'webhook', url: hook.url };
  await api.call({ method: 'POST', path: '/v1/alert-channels', body }, { status: 201, shape: ANY });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([target?.close(), canary?.close(), hook?.close()]);
});

async function readRegions() {
  const { data } = await api.call(
    { method: 'GET', path: '/v1/regions' },
    { status: 200, shape: regionPage },
  );
  return Object.fromEntries(data.map(({ id, ...region }) => [id, region]));
}

const readMonitor = (id: string) =>
  api.call({ method: 'GET', path: `/v1/monitors/${id}` }, { status: 200, shape: monitorShape });

const watch = (path: string, regions: readonly string[], interval = 10) =>
  api.createMonitor({ name: path, url: target.url + path, interval, retries: 0, regions });

test('the API shows the workers of each region and when it last saw a worker', async () => {
  const regions = await waitUntil('both probes have registered', async () => {
    const seen = await readRegions();
    return seen['eu-west']?.workers === 1 && seen['us-east']?.workers === 1 && seen;
  });
  expect(Object.keys(regions)).toEqual(['ap-south', 'eu-west', 'us-east']);
  expect(regions['ap-south']).toMatchObject({ status: 'offline', workers: 0, lastSeenAt: null });
  expect(regions['eu-west']).toMatchObject({ status: 'online', lastSeenAt: expect.any(String) });
});

/** Sets the last report of the region's probes back by three report intervals. */
async function moveLastHello(region: string): Promise<void> {
  const database = await connectTo(service.mongodbUri, service.suite);
  const earlier = { $inc: { lastSeenAtMs: -3 * PROBE_HELLO_EVERY_MS } };
  await database.models.regionProbes.updateMany({ region }, earlier);
  await database.close();
}

test('checks of a region without workers are region_unavailable, never down', async () => {
  await service.kill('probe-us-east');
  const id = await watch('/two-of-three', ['eu-west', 'us-east', 'ap-south']);
  await moveLastHello('us-east');
  const results = await waitUntil('two slots', async () => {
    const rows = await api.resultsOf(id);
    return rows.length >= 6 && rows;
  });
  for (const { region, status, failure } of results)
    expect([region, status, failure?.code]).toEqual(
      region === 'eu-west' ? [region, 'up', undefined] : [region, 'unknown', 'region_unavailable'],
    );
  expect(await readMonitor(id)).toMatchObject({
    health: 'up',
    currentIncidentId: null,
    regionsHealth: { 'eu-west': { health: 'up' }, 'us-east': { health: 'unknown' } },
  });
  const region = await waitUntil('us-east is offline', async () => {
    const seen = (await readRegions())['us-east'];
    return seen?.status === 'offline' && seen;
  });
  expect(region).toMatchObject({ workers: 0, lastSeenAt: expect.any(String) });
  await service.start('probe-us-east');
  await waitUntil('it is back', async () => (await readRegions())['us-east']?.workers === 1);
});

test('a maintenance pause survives a kill of the orchestrator and ends with its window', async () => {
  const id = await watch('/resting', ['eu-west']);
  await waitUntil('the first result', async () => (await api.resultsOf(id)).length > 0);
  const body = { minutes: 30, target: { ids: [id] }, mode: 'pause' };
  const now = { method: 'POST', path: '/v1/maintenance-windows/now', body };
  const window = await api.call(now, { status: 201, shape: ANY });
  await service.kill('orchestrator');
  const before = target.countOf('/resting');
  await service.start('orchestrator');
  const awake = await watch('/awake', ['eu-west']);
  // The first check runs when the monitor is saved, the second an interval later. The other monitor has a slot between
  // them.
  await waitUntil('others are checked', async () => (await api.resultsOf(awake)).length >= 2);
  expect(target.countOf('/resting')).toBe(before);
  const end = `/v1/maintenance-windows/${String(window['id'])}/end`;
  await api.call({ method: 'POST', path: end }, { status: 200, shape: ANY });
  await waitUntil('it is checked again', () => target.countOf('/resting') > before);
  expect((await api.resultsOf(id)).filter(({ status }) => status === 'down')).toEqual([]);
});

test('apply creates one object per key, even if the command line and the API were killed halfway', async () => {
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: apiKey };
  const cli = openCli(environment);
  const database = await connectTo(service.mongodbUri, service.suite);
  try {
    const monitors = Array.from({ length: APPLIED }, (_, nth) => ({
      key: `site-${nth}`,
      name: `Site ${nth}`,
      url: `${target.url}/site-${nth}`,
      enabled: false,
    }));
    const file = cli.write('sites.json', JSON.stringify({ monitors }));
    const main = join(__dirname, '..', '..', 'dist', 'cli', 'main.js');
    const child = spawn(process.execPath, [main, 'apply', '-f', file], { env: environment });
    const others = await database.models.monitors.countDocuments();
    const made = async () => (await database.models.monitors.countDocuments()) - others;
    await waitUntil('some are there', async () => (await made()) > 0);
    await service.kill('api');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await made()).toBeLessThan(APPLIED);
    await service.start('api');
    const { code, value } = await cli.json(['apply', '-f', file]);
    expect({ code, failed: value.summary.failed }).toEqual({ code: 0, failed: 0 });
    expect(await made()).toBe(APPLIED);
  } finally {
    await database.close();
    cli.close();
  }
});

async function newJob(name: string, more: object = {}) {
  const schedule = { everySeconds: JOB_SECONDS };
  // A job that is excused after an outage has one more interval. The long grace period keeps the job from going down
  // after this interval.
  const body = { type: 'heartbeat', name, schedule, graceSeconds: 3_600, ...more };
  const request = { method: 'POST', path: '/v1/monitors', body };
  return api.call(request, { status: 201, shape: heartbeatShape });
}

async function ping(address: string): Promise<void> {
  expect((await fetch(address, { method: 'POST' })).status).toBe(200);
}

const runningOf = async (id: string) => {
  const request = { method: 'GET', path: `/v1/monitors/${id}` };
  return (await api.call(request, { status: 200, shape: heartbeatShape })).running.length;
};

test('a ping that may have been lost while the API was down does not take its heartbeat down', async () => {
  const [silent, busy] = [
    await newJob('silent-job'),
    await newJob('busy-job', { maxRunSeconds: JOB_SECONDS }),
  ];
  const database = await connectTo(service.mongodbUri, service.suite);
  const { presence } = database.models;
  await waitUntil('the API has recorded that it receives pings', async () => {
    return (await presence.exists({})) !== null;
  });
  // The job needs a first ping, because it has no verdict before.
  for (const { pingUrl } of [silent, busy]) await ping(pingUrl);
  // Waits for the result of the first ping. If two pings with results are read together, the first result is shown only
  // with the second.
  await waitUntil('its result', async () => (await api.resultsOf(busy.id)).length === 1);
  await ping(`${busy.pingUrl}/start`);
  await waitUntil('the start', async () => (await runningOf(busy.id)) === 1);
  await service.kill('api');
  // Simulates an outage of the API that is longer than the delay that a busy process may have.
  await presence.updateOne({}, { $inc: { lastAtMs: -AWAY_MS } });
  await database.close();
  await service.start('api');
  await waitUntil('the run is dropped', async () => (await runningOf(busy.id)) === 0);
  const result = await waitUntil('the due time of the silent job', async () => {
    // Takes the oldest result that is not up, because a later due time may also have passed already. Results are sorted
    // from newest to oldest.
    return (await api.resultsOf(silent.id)).findLast(({ status }) => status !== 'up');
  });
  expect(result).toMatchObject({ status: 'unknown', failure: { code: 'pings_unavailable' } });
  for (const { id } of [silent, busy]) {
    expect((await api.resultsOf(id)).filter(({ status }) => status === 'down')).toEqual([]);
    const request = { method: 'DELETE', path: `/v1/monitors/${id}` };
    await api.call(request, { status: 204, shape: z.undefined() });
  }
});

test('while the network of a probe is broken, outcomes are unknown, and no one is notified', async () => {
  const id = await watch('/innocent', ['eu-west'], 3_600);
  await waitUntil('the first result', async () => (await api.resultsOf(id)).length > 0);
  const ports = [Number(new URL(target.url).port), canary.port];
  await Promise.all([target.close(), canary.close()]);
  await waitUntil('nothing listens', async () =>
    (await Promise.all(ports.map(isRefused))).every(Boolean),
  );
  await api.call({ method: 'POST', path: `/v1/monitors/${id}/run` }, { status: 202, shape: ANY });
  await waitUntil('its result', async () => (await api.resultsOf(id)).length > 1);
  expect((await api.resultsOf(id))[0]).toMatchObject({ status: 'unknown' });
  expect((await readMonitor(id)).currentIncidentId).toBeNull();
  await waitUntil('a region is shown with a suspect network', async () =>
    Object.values(await readRegions()).some(({ networkSuspectSince }) => networkSuspectSince),
  );
  expect(hook.events.filter(({ body }) => body.includes('alert.failure'))).toEqual([]);
});

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
