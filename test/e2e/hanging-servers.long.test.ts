/**
 * Tests dependencies that hang: they accept connections and calls, and never respond. Checks, pauses and alerts
 * continue without them, and every caller gets a response in time.
 */
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { monitorWorkflowId, SIGNALS } from '../../src/contracts/workflows';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { freezeFor, type OwnServers, startOwnServers } from '../support/own-servers';
import { readWebhookReports } from '../support/reported-changes';
import { startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const MONITORS = testSize('hanging', { ci: 60, long: 60 });
/** Interval in seconds. A small machine needs this long for 500 monitors, and a busy machine stalls for less. */
const INTERVAL_S = 20;
const INTERVAL_MS = INTERVAL_S * 1_000;
const ANY = z.looseObject({});

let servers: OwnServers;
let service: TestService;
let api: ApiClient;
let key: string;
let target: SwitchableTarget;
let hook: HttpSink;
let ids: readonly string[];

beforeAll(async () => {
  servers = await startOwnServers();
  [target, hook] = await Promise.all([startSwitchableTarget(), startHttpSink()]);
  // Disables watches, so that each check takes the full path through Temporal. watches.long.test.ts tests the same
  // faults with watches.
  const environment = { ...servers.environment, KEEPWATCH_STEADY: 'full' };
  service = await startService({ regions: ['eu-west'], environment });
  key = (await service.setup()).apiKey;
  api = createApiClient(service.url, key);
  const body = { name: 'hook', type: 'webhook', url: hook.url };
  await api.call({ method: 'POST', path: '/v1/alert-channels', body }, { status: 201, shape: ANY });
  const names = Array.from({ length: MONITORS }, (_, index) => `/m${index}`);
  const created: string[] = [];
  for (const name of names) created.push(await create(name));
  ids = created;
  await waitUntil('each is checked', () => names.every((name) => target.countOf(name) > 0));
});
afterEach(() => {
  servers?.database.thaw();
  servers?.temporal.thaw();
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([servers?.stop(), target?.close(), hook?.close()]);
});

function create(name: string): Promise<string> {
  return api.createMonitor({
    name,
    url: target.url + name,
    interval: INTERVAL_S,
    // The timeout is long, so that a check does not fail when the machine stalls for some seconds.
    timeoutMs: INTERVAL_MS - 1_000,
    retries: 0,
    alerts: { channels: ['webhook'] },
  });
}

const pathOf = (id: string) => `/m${ids.indexOf(id)}`;

/**
 * Sends reads, writes, requests of probes, health checks and metrics. Each of them must get a response, with any
 * status.
 */
async function askAll(): Promise<readonly Asked[]> {
  const asked: readonly (readonly [string, string])[] = [
    ['GET', '/v1/monitors?limit=10'],
    ['GET', `/v1/monitors/${ids[0]}`],
    ['GET', `/v1/monitors/${ids[0]}/results`],
    ['GET', `/v1/monitors/${ids[0]}/uptime`],
    ['GET', '/v1/overview'],
    ['GET', '/v1/incidents'],
    ['GET', '/v1/regions'],
    ['GET', '/v1/account'],
    ['GET', '/v1/events'],
    ['POST', `/v1/monitors/${ids[0]}/pause`],
    ['POST', `/v1/monitors/${ids[0]}/resume`],
    ['POST', '/v1/monitors'],
    ['GET', '/readyz'],
    ['GET', '/healthz'],
    ['GET', '/metrics'],
    ['GET', '/status/none'],
  ];
  return Promise.all(asked.map(([method, path]) => ask(method, path)));
}

interface Asked {
  readonly path: string;
  readonly status: number;
}

async function ask(method: string, path: string): Promise<Asked> {
  const isCreated = path === '/v1/monitors' && method === 'POST';
  const body = isCreated ? { body: JSON.stringify({ name: 'x', url: `${target.url}/x` }) } : {};
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(isCreated ? { 'content-type': 'application/json' } : {}),
    },
    signal: AbortSignal.timeout(15_000),
    ...body,
  });
  const retryAfter = answer.headers.get('retry-after');
  await answer.body?.cancel();
  if (answer.status === 503 && retryAfter === null) throw new Error(`${path}: no Retry-After`);
  return { path: `${method} ${path}`, status: answer.status };
}

test('checks, pauses and alerts continue while the database hangs', async () => {
  const [sick = '', paused = '', ...others] = ids;
  servers.database.freeze();
  target.failing.add(pathOf(sick));
  const connection = Connection.lazy({ address: servers.environment.TEMPORAL_ADDRESS });
  const temporal = new Client({ connection, namespace: servers.environment.TEMPORAL_NAMESPACE });
  await temporal.workflow.getHandle(monitorWorkflowId(paused)).signal(SIGNALS.pause);
  await connection.close();

  const answers = await askAll();
  const refused = answers.filter(({ status }) => status === 503).map(({ path }) => path);
  expect(refused).toEqual(expect.arrayContaining(['GET /v1/overview', 'GET /readyz']));
  expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
  await waitUntil('people are notified', () => readWebhookReports(hook).length > 0);
  const beforePause = target.countOf(pathOf(paused));
  const before = new Map(others.map((id) => [id, target.countOf(pathOf(id))]));
  await waitUntil('each is checked twice more', () =>
    others.every((id) => target.countOf(pathOf(id)) >= (before.get(id) ?? 0) + 2),
  );
  expect(target.countOf(pathOf(paused))).toBe(beforePause);
  expect(readWebhookReports(hook).map(({ kind }) => kind)).toEqual(['failure']);

  servers.database.thaw();
  await waitUntil(
    'the API responds',
    async () => (await ask('GET', '/v1/overview')).status === 200,
  );
  await waitUntil('the incident is open', async () => {
    const { data } = await api.call(
      { method: 'GET', path: '/v1/incidents?state=open' },
      { status: 200, shape: z.looseObject({ data: z.array(ANY) }) },
    );
    return data.length === 1;
  });
  for (const id of others) await expectWhole(id);
});

test('while Temporal hangs, the API shows stored data and refuses writes', async () => {
  const others = ids.slice(2);
  servers.temporal.freeze();
  const answers = await askAll();
  const statusOf = Object.fromEntries(answers.map(({ path, status }) => [path, status]));
  expect(statusOf).toMatchObject({
    'GET /v1/overview': 200,
    'GET /readyz': 503,
    'POST /v1/monitors': 503,
    'GET /metrics': 200,
  });
  expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
  await freezeFor(servers.temporal, 1.5 * INTERVAL_MS);
  const before = new Map(others.map((id) => [id, target.countOf(pathOf(id))]));
  await waitUntil('each is checked twice more', () =>
    others.every((id) => target.countOf(pathOf(id)) >= (before.get(id) ?? 0) + 2),
  );
  for (const id of others) await expectWhole(id);
});

/** Expects that every request at the target is one result, and that every slot is a result or named in a gap. */
async function expectWhole(id: string): Promise<void> {
  await waitUntil('every result is stored', async () => {
    const measured = (await api.resultsOf(id)).filter(({ gap }) => gap === null);
    return measured.length >= target.countOf(pathOf(id)) - 1;
  });
  const results = await api.resultsOf(id);
  const { doubled, unnamed } = readSlots(results, { region: 'eu-west', intervalMs: INTERVAL_MS });
  expect({ id, doubled, unnamed }).toEqual({ id, doubled: [], unnamed: [] });
  expect(results.filter(({ status }) => status === 'down')).toEqual([]);
}
