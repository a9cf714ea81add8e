/**
 * Tests Keepwatch as docker-compose.prod.yml runs it, on a full Temporal server with PostgreSQL, with two
 * orchestrators, three probes and one API. Watches run the checks. Each part is killed in turn. Afterwards, every slot
 * must be stored once, as a result or in a named gap. The test prints what a check costs and how long each hand-over
 * takes. `npm run cluster` runs this test. `npm test` does not.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { computeCosts, costTable, sumByProcess } from '../../bench/support/check-load';
import { processTree } from '../../bench/support/process-facts';
import { isReady, setUpAccount } from '../../src/demo/service-client';
import { choosePort } from '../../src/embedded/free-port';
import { createTemporalClient } from '../../src/temporal/connect';
import { readCompose } from '../compose/read-compose';
import { type RunningCompose, runCompose } from '../compose/run-compose';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { readWebhookReports } from '../support/reported-changes';
import { readSlots } from '../support/slots';
import { waitUntil } from '../support/wait-until';
import { readWatchesOf } from '../support/watch-service';
import { givenPrograms, startTemporalCluster, type TemporalCluster } from './temporal-cluster';

const MONITORS = Number(process.env['KEEPWATCH_TEST_MONITORS'] ?? 30);
const INTERVAL_MS = 10_000;
const REGIONS = ['eu-west', 'us-east'];
/** These checks are brief, because in several regions only checks that end well within their interval have watches. */
const BRIEF = { interval: INTERVAL_MS / 1_000, timeoutMs: 4_000, retries: 0 };
const AWAY_MS = 5_000;
const MEASURED_MS = 60_000;
const SECRET_KEY = 'ab'.repeat(32);
const ORCHESTRATORS = ['orchestrator', 'orchestrator-2'];
const PROBES = ['probe-eu-west', 'probe-eu-west-2', 'probe-us-east'];
const SETUP_TOKEN = 'a-token-for-the-cluster';
const CREATED = z.object({ id: z.string() });
const measured = z.object({
  data: z.array(z.object({ status: z.string(), startedAt: z.string().nullable() })),
});
const runPage = z.object({
  data: z.array(z.object({ id: z.string(), status: z.string(), slot: z.string().nullable() })),
});

let cluster: TemporalCluster;
let database: OwnDatabase;
let client: Client;
let service: RunningCompose;
let target: LoopbackServer;
let hook: HttpSink;
let api: ApiClient;
let monitors: readonly string[] = [];
let scenario = '';
let isBroken = false;
let requests = 0;

beforeAll(async () => {
  target = await startLoopbackServer(({ url }, response) => {
    requests += 1;
    response.statusCode = isBroken && url === '/fragile' ? 500 : 200;
    response.setHeader('content-type', 'application/json');
    response.end('{"id":"7"}');
  });
  hook = await startHttpSink();
  const compose = readCompose('docker-compose.prod.yml', {
    KEEPWATCH_SECRET_KEY: SECRET_KEY,
    KEEPWATCH_SETUP_TOKEN: SETUP_TOKEN,
    KEEPWATCH_PUBLIC_URL: 'https://watch.example.com',
    KEEPWATCH_TRUST_PROXY: '1',
    KEEPWATCH_ALLOWED_PRIVATE_TARGETS: [target, hook].map(allowance).join(','),
    KEEPWATCH_RATE_LIMITS: 'off',
    POSTGRES_PASSWORD: 'cd'.repeat(32),
    MONGO_PASSWORD: 'ef'.repeat(32),
    MONGO_REPLICA_KEY: '01'.repeat(32),
  });
  cluster = await startTemporalCluster(compose, givenPrograms());
  database = await createDatabase(cluster.folder);
  const { address } = cluster;
  client = createTemporalClient({ address, namespace: 'keepwatch' }, [SECRET_KEY]);
  service = await runCompose(compose, {
    mongodbUri: database.uri,
    temporal: address,
    replicas: { orchestrator: 2, 'probe-eu-west': 2 },
  });
  await waitUntil('the API is ready', () => isReady(service.url));
  const { apiKey } = await setUpAccount(service.url, SETUP_TOKEN);
  api = createApiClient(service.url, apiKey);
  await service.whenHealthy();
  await createMonitors();
}, 600_000);

afterAll(async () => {
  await client?.connection.close();
  await service?.terminate();
  await database?.end('SIGTERM');
  await cluster?.stop();
  await hook?.close();
  await target?.close();
}, 60_000);

function allowance({ url }: { readonly url: string }): string {
  const { port } = new URL(url);
  return `127.0.0.1/32#${port}`;
}

interface OwnDatabase {
  readonly uri: string;
  readonly start: () => void;
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

/** Starts the embedded database. It replaces MongoDB, because no package registry contains MongoDB. */
async function createDatabase(folder: string): Promise<OwnDatabase> {
  const data = join(folder, 'database');
  mkdirSync(data);
  const port = String(await choosePort(undefined));
  const program = join(__dirname, '..', '..', 'dist', 'embedded', 'database', 'main.js');
  const launch = (): ChildProcess =>
    spawn(process.execPath, [program, '--dir', data, '--port', port], { stdio: 'ignore' });
  let child = launch();
  return {
    uri: `mongodb://127.0.0.1:${port}/keepwatch`,
    start: () => {
      child = launch();
    },
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    },
  };
}

const create = (path: string, body: object) =>
  api.call({ method: 'POST', path, body }, { status: 201, shape: CREATED });

async function createMonitors(): Promise<void> {
  await create('/v1/alert-channels', { name: 'hook', type: 'webhook', url: hook.url });
  const ids: string[] = [];
  for (let index = 0; index < MONITORS; index += 1) {
    const path = index === 0 ? '/fragile' : `/m${index}`;
    const name = `monitor ${index}`;
    const body = { name, key: `m${index}`, url: target.url + path, ...BRIEF };
    // While the machine is still starting, the API may respond with 503. The idempotency key prevents duplicates.
    ids.push(await waitUntil(`${name} is created`, () => api.createMonitor(body)));
  }
  monitors = ids;
}

async function createScenario(): Promise<void> {
  const { url } = target;
  const steps = [
    { name: 'create', url: `${url}/create`, extract: { id: '$.id' } },
    { name: 'read', url: `${url}/read/{{id}}` },
    { name: 'remove', url: `${url}/remove/{{id}}`, always: true },
  ];
  scenario = (await create('/v1/scenarios', { name: 'journey', interval: 10, steps })).id;
}

/** Resolves when every region has checked every monitor at a slot after this call. */
async function whenAllCheckedAgain(): Promise<number> {
  const sinceMs = Date.now();
  for (const id of monitors) {
    for (const region of REGIONS) {
      await waitUntil(`${id} is checked from ${region}`, async () => {
        const path = `/v1/monitors/${id}/results?limit=5&region=${region}`;
        const { data } = await api.call({ method: 'GET', path }, { status: 200, shape: measured });
        return data.some(({ status, startedAt }) => {
          const isMeasured = status === 'up' || status === 'down';
          return isMeasured && Date.parse(startedAt ?? '') > sinceMs;
        });
      });
    }
  }
  return Date.now() - sinceMs;
}

const nap = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type IsProcess = (identity: string) => boolean;

/** Resolves when every region has a watch of every monitor and only allowed processes run these watches. */
async function whenAllWatched(isAllowed: IsProcess): Promise<void> {
  for (const id of monitors)
    await waitUntil(`each region of ${id} has a watch`, async () => {
      const identities = (await readWatchesOf(client, id)).map(({ identity }) => identity);
      return identities.length === REGIONS.length && identities.every(isAllowed);
    });
}

async function countWatches(isOf: IsProcess): Promise<number> {
  let count = 0;
  for (const id of monitors)
    count += (await readWatchesOf(client, id)).filter(({ identity }) => isOf(identity)).length;
  return count;
}

/** Prints the costs per check for each kind of process: CPU, bytes written and memory. */
async function printCosts(): Promise<void> {
  const [before, sent] = [processTree(process.pid), requests];
  await nap(MEASURED_MS);
  const checks = requests - sent;
  const costs = sumByProcess(computeCosts(before, processTree(process.pid), checks));
  const [load] = loadavg();
  const title = `${checks} requests in ${MEASURED_MS / 1_000} s, load ${load?.toFixed(1)}`;
  console.log([title, ...costTable(costs, 'request')].join('\n'));
}

test('every monitor has one watch in each region', async () => {
  await whenAllWatched(() => true);
  await printCosts();
  // The scenario is created only now, because its runs cost far more than checks.
  await createScenario();
}, 600_000);

interface Part {
  readonly name: string;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void> | void;
}

const PARTS: readonly Part[] = [
  ...[...ORCHESTRATORS, ...PROBES, 'api'].map((name) => ({
    name,
    kill: () => service.kill(name),
    start: () => service.start(name),
  })),
  { name: 'database', kill: () => database.end('SIGKILL'), start: () => database.start() },
  ...(['temporal', 'postgres'] as const).map((name) => ({
    name,
    kill: () => cluster.kill(name),
    start: () => cluster.start(name),
  })),
];

/** Kills the part. If the part ran watches, the returned function resolves with the duration of the hand-over. */
async function killAndTime({ name, kill }: Part): Promise<() => Promise<readonly string[]>> {
  const pid = PROBES.includes(name) ? service.pidOf(name) : undefined;
  const isKilled = (identity: string) => identity.startsWith(`${pid}@`);
  const held = pid === undefined ? 0 : await countWatches(isKilled);
  await kill();
  const killedMs = Date.now();
  if (held === 0) return async () => [];
  const moved = whenAllWatched((identity) => !isKilled(identity)).then(() => Date.now() - killedMs);
  return async () => [`${held} watches handed over ${await moved} ms after the kill`];
}

test.each(PARTS)(
  'after $name is killed and started again, every region checks every monitor again',
  async (part) => {
    const { name, start } = part;
    await whenAllCheckedAgain();
    await whenAllWatched(() => true);
    isBroken = name === 'orchestrator';
    const handOver = await killAndTime(part);
    // This is not a wait for a condition: the outage has a fixed duration.
    await nap(AWAY_MS);
    await start();
    const ms = await whenAllCheckedAgain();
    isBroken = false;
    const facts = [`all checked again ${ms} ms after its return`, ...(await handOver())];
    console.log(`${name} away for ${AWAY_MS} ms: ${facts.join('; ')}`);
  },
  600_000,
);

test('every slot of every monitor is stored once, as a result or in a recorded gap', async () => {
  await whenAllCheckedAgain();
  let slots = 0;
  let observed = 0;
  let gaps = 0;
  for (const [index, id] of monitors.entries()) {
    const results = await api.resultsOf(id);
    for (const region of REGIONS) {
      const ledger = readSlots(results, { region, intervalMs: INTERVAL_MS });
      const { doubled, unnamed } = ledger;
      expect({ id, region, doubled, unnamed }).toEqual({ id, region, doubled: [], unnamed: [] });
      slots += ledger.slotsMs.length;
    }
    gaps += results.filter(({ gap }) => gap !== null).length;
    observed += results.filter(
      ({ gap, kind, status }) => gap === null && kind === 'scheduled' && status !== 'unknown',
    ).length;
    if (index > 0) expect(results.filter(({ status }) => status === 'down')).toEqual([]);
  }
  console.log(
    `${slots} slots of ${MONITORS} monitors in ${REGIONS.length} regions: 0 lost, 0 doubled, ${observed} measured, ${gaps} gaps named`,
  );
}, 120_000);

test('the first outage of the target sends one failure alert and one recovery', async () => {
  const kinds = await waitUntil('failure and recovery', () => {
    const sent = readWebhookReports(hook).map(({ kind }) => kind);
    return sent.length >= 2 && sent;
  });
  expect(kinds).toEqual(['failure', 'recovery']);
});

test('no run of the scenario is stuck, none failed because of the target, and no slot ran twice', async () => {
  const path = `/v1/scenarios/${scenario}/results?limit=200`;
  const { data } = await api.call({ method: 'GET', path }, { status: 200, shape: runPage });
  const statuses = new Set(data.slice(2).map(({ status }) => status));
  for (const status of ['queued', 'running', 'waiting', 'failed', 'timed_out'])
    expect(statuses).not.toContain(status);
  const slots = data.flatMap(({ slot }) => (slot === null ? [] : [slot]));
  expect(new Set(slots).size).toBe(slots.length);
  expect(slots.length).toBeGreaterThan(PARTS.length);
});
