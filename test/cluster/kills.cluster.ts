/**
 * Runs Keepwatch as docker-compose.prod.yml does, on a full Temporal server with PostgreSQL, with two orchestrators,
 * three probes and one API. Each part is killed in turn. Afterwards every slot must be stored once, as a result or in a
 * named gap. `npm run cluster` runs it. `npm test` does not.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isReady, setUpAccount } from '../../src/demo/service-client';
import { choosePort } from '../../src/embedded/free-port';
import { readCompose } from '../compose/read-compose';
import { type RunningCompose, runCompose } from '../compose/run-compose';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { readWebhookReports } from '../support/reported-changes';
import { readSlots } from '../support/slots';
import { waitUntil } from '../support/wait-until';
import { givenPrograms, startTemporalCluster, type TemporalCluster } from './temporal-cluster';

const MONITORS = Number(process.env['KEEPWATCH_TEST_MONITORS'] ?? 30);
const INTERVAL_MS = 10_000;
const REGIONS = ['eu-west', 'us-east'];
const AWAY_MS = 5_000;
const SETUP_TOKEN = 'a-token-for-the-cluster';
const CREATED = z.object({ id: z.string() });
const measured = z.object({
  data: z.array(z.object({ status: z.string(), startedAt: z.string().nullable() })),
});
const runPage = z.object({
  data: z.array(z.object({ id: z.string(), status: z.string(), slot: z.string().nullable() })),
});

let cluster: TemporalCluster;
let database: ChildProcess;
let service: RunningCompose;
let target: LoopbackServer;
let hook: HttpSink;
let api: ApiClient;
let monitors: readonly string[] = [];
let scenario = '';
let isBroken = false;

beforeAll(async () => {
  target = await startLoopbackServer(({ url }, response) => {
    response.statusCode = isBroken && url === '/fragile' ? 500 : 200;
    response.setHeader('content-type', 'application/json');
    response.end('{"id":"7"}');
  });
  hook = await startHttpSink();
  const compose = readCompose('docker-compose.prod.yml', {
    KEEPWATCH_SECRET_KEY: 'ab'.repeat(32),
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
  const mongodbUri = await startDatabase(cluster.folder);
  service = await runCompose(compose, {
    mongodbUri,
    temporal: cluster.address,
    replicas: { orchestrator: 2, 'probe-eu-west': 2 },
  });
  await waitUntil('the API is ready', () => isReady(service.url));
  const { apiKey } = await setUpAccount(service.url, SETUP_TOKEN);
  api = createApiClient(service.url, apiKey);
  await service.whenHealthy();
  await createChecks();
}, 300_000);

afterAll(async () => {
  await service?.terminate();
  database?.kill('SIGTERM');
  await cluster?.stop();
  await hook?.close();
  await target?.close();
}, 60_000);

function allowance({ url }: { readonly url: string }): string {
  const { port } = new URL(url);
  return `127.0.0.1/32#${port}`;
}

/** The embedded database replaces MongoDB, which no package registry carries. */
async function startDatabase(folder: string): Promise<string> {
  const data = join(folder, 'database');
  mkdirSync(data);
  const port = await choosePort(undefined);
  const program = join(__dirname, '..', '..', 'dist', 'embedded', 'database', 'main.js');
  database = spawn(process.execPath, [program, '--dir', data, '--port', String(port)], {
    stdio: 'ignore',
  });
  return `mongodb://127.0.0.1:${port}/keepwatch`;
}

async function createChecks(): Promise<void> {
  const { port } = target;
  const url = `http://127.0.0.1:${port}`;
  const create = (path: string, body: object) =>
    api.call({ method: 'POST', path, body }, { status: 201, shape: CREATED });
  await create('/v1/alert-channels', { name: 'hook', type: 'webhook', url: hook.url });
  const ids: string[] = [];
  for (let index = 0; index < MONITORS; index += 1) {
    const path = index === 0 ? '/fragile' : `/m${index}`;
    const name = `monitor ${index}`;
    const body = { name, key: `m${index}`, url: `${url}${path}`, interval: 10 };
    // A machine that is still starting may answer 503; the idempotency key prevents duplicates.
    ids.push(await waitUntil(`${name} is created`, () => api.createMonitor(body)));
  }
  monitors = ids;
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

const PARTS: readonly {
  readonly name: string;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void> | void;
}[] = [
  ...['orchestrator', 'probe-eu-west', 'probe-us-east', 'api'].map((name) => ({
    name,
    kill: () => service.kill(name),
    start: () => service.start(name),
  })),
  ...(['temporal', 'postgres'] as const).map((name) => ({
    name,
    kill: () => cluster.kill(name),
    start: () => cluster.start(name),
  })),
];

test.each(PARTS)(
  'after $name is killed, every monitor is checked again',
  async ({ name, kill, start }) => {
    await whenAllCheckedAgain();
    isBroken = name === 'orchestrator';
    await kill();
    // The duration of the outage is part of the test, not a condition to wait for.
    await nap(AWAY_MS);
    await start();
    const ms = await whenAllCheckedAgain();
    isBroken = false;
    console.log(`${name} away for ${AWAY_MS} ms: all checked again ${ms} ms after its return`);
  },
  300_000,
);

test('every slot of every monitor is stored once, as a result or in a recorded gap', async () => {
  await whenAllCheckedAgain();
  let slots = 0;
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
    if (index > 0) expect(results.filter(({ status }) => status === 'down')).toEqual([]);
  }
  console.log(`${slots} slots of ${MONITORS} monitors: 0 lost, 0 doubled, ${gaps} gaps named`);
}, 120_000);

test('the first outage sends one failure and one recovery', async () => {
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
