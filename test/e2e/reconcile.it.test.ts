/**
 * What crashes leave between the database and the workflow engine, on real processes: rows without
 * workflows, ended workflows, operators' signals, and an engine whose whole database is lost.
 */
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { HOUSEKEEPING_WORKFLOW_ID, PASS_NOW_SIGNAL } from '../../src/contracts/housekeeping';
import { monitorWorkflowId, SIGNALS, scenarioWorkflowId } from '../../src/contracts/workflows';
import { createStores, type Database } from '../../src/models';
import { monitorDefinitionOf } from '../../src/services/resources/compose-config';
import { firstStatus } from '../../src/services/resources/save-resource';
import { connectTo } from '../models/test-database';
import { type ApiClient, createApiClient } from '../support/api-client';
import { startLoopbackServer } from '../support/loopback-server';
import { startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { waitUntil } from '../support/wait-until';

const INTERVAL_MS = 10_000;
const monitorShape = z.object({
  id: z.string(),
  state: z.string(),
  health: z.string(),
  currentIncidentId: z.string().nullable(),
  pauseReason: z.string().nullish(),
});
const slots = { region: 'eu-west', intervalMs: INTERVAL_MS };

/** Answers 500 on the paths that are broken. */
async function startBreakableTarget() {
  const broken = new Set<string>();
  const server = await startLoopbackServer((request, response) => {
    response.statusCode = broken.has(request.url ?? '') ? 500 : 200;
    response.end('ok');
  });
  return { ...server, broken };
}

let target: Awaited<ReturnType<typeof startBreakableTarget>>;
let service: TestService;
let connection: Connection;
let client: Client;
let database: Database;
let apiKey: string;
let api: ApiClient;

beforeAll(async () => {
  target = await startBreakableTarget();
  service = await startService({ regions: ['eu-west'] });
  apiKey = (await service.setup()).apiKey;
  api = createApiClient(service.url, apiKey);
  connection = await Connection.connect({ address: service.temporalAddress });
  client = new Client({ connection, namespace: service.suite });
  database = await connectTo(service.mongodbUri, service.suite);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([database?.close(), connection?.close(), target?.close()]);
});

/** The housekeeping begins a little after the service. */
const passNow = () =>
  waitUntil('the housekeeping', async () => {
    await client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID).signal(PASS_NOW_SIGNAL);
    return true;
  });
const workflowOf = (id: string) => client.workflow.getHandle(monitorWorkflowId(id));
const isRunning = async (id: string) => (await workflowOf(id).describe()).status.name === 'RUNNING';
const create = (path: string, change = {}) =>
  api.createMonitor({ name: path, url: `${target.url}/${path}`, interval: 10, ...change });
const read = (id: string) =>
  api.call({ method: 'GET', path: `/v1/monitors/${id}` }, { status: 200, shape: monitorShape });
const whenHealth = (id: string, health: string) =>
  waitUntil(`health ${health}`, async () => (await read(id)).health === health);

/** Waits for so many more results of real checks, and answers with all results. */
function whenCheckedAgain(id: string, afterMs: number, count: number) {
  return waitUntil(`${count} checks afterwards`, async () => {
    const rows = await api.resultsOf(id);
    const later = rows.filter(({ slot, gap }) => gap === null && Date.parse(slot) > afterMs);
    return later.length >= count && rows;
  });
}

test('a row that was written without its workflow is checked after the next pass', async () => {
  const stores = createStores(database);
  const like = await create('like');
  const { accountId } = (await database.models.monitors.findOne({ _id: like }).lean()) ?? {};
  const row = await stores.monitors.find(String(accountId), like);
  if (row === null) throw new Error('the row is not there');
  const left = { ...row, id: `${like.slice(0, -4)}0000`, anchorMs: Date.now() };
  await stores.statuses.create(left.accountId, firstStatus(left));
  await stores.revisions.save(left.accountId, monitorDefinitionOf(left));
  await stores.monitors.create(left.accountId, left);
  await passNow();
  await waitUntil('a result', async () => (await api.resultsOf(left.id)).length > 0);
  expect((await api.resultsOf(left.id))[0]).toMatchObject({ status: 'up', gap: null });
});

test('a workflow that somebody terminated comes back and goes on where it was', async () => {
  const id = await create('terminated');
  await whenHealth(id, 'up');
  await workflowOf(id).terminate('by mistake');
  const endedAtMs = Date.now();
  await waitUntil('it runs again', async () => {
    await passNow();
    return isRunning(id);
  });
  expect((await read(id)).health).toBe('up');
  const results = await whenCheckedAgain(id, endedAtMs, 2);
  const { doubled, unnamed } = readSlots(results, slots);
  expect({ doubled, unnamed }).toEqual({ doubled: [], unnamed: [] });
});

test('a housekeeping that somebody terminated comes back by itself', async () => {
  const handle = client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID);
  const { runId } = await handle.describe();
  await handle.terminate('by mistake');
  await waitUntil('another one runs', async () => {
    const { status, runId: now } = await handle.describe();
    return status.name === 'RUNNING' && now !== runId;
  });
});

test("an operator's pause and resume in the engine are seen in the API", async () => {
  const id = await create('operated');
  await whenHealth(id, 'up');
  await workflowOf(id).signal(SIGNALS.pause, { by: 'ops', reason: 'the shop moves' });
  await waitUntil('paused', async () => (await read(id)).state === 'paused');
  const row = await database.models.monitors.findOne({ _id: id }).lean();
  expect(row).toMatchObject({ pauseReason: 'the shop moves (ops)', version: 2 });
  await passNow();
  await workflowOf(id).signal(SIGNALS.resume);
  await waitUntil('active', async () => (await read(id)).state === 'active');
  await whenCheckedAgain(id, Date.now(), 1);
});

test('after the loss of the whole engine all run again: one gap, the same incident, paused ones rest', async () => {
  const [up, down, paused] = [await create('up'), await create('down'), await create('paused')];
  target.broken.add('/down');
  await Promise.all([whenHealth(up, 'up'), whenHealth(paused, 'up'), whenHealth(down, 'down')]);
  const pause = { method: 'POST', path: `/v1/monitors/${paused}/pause`, body: {} };
  await api.call(pause, { status: 200, shape: z.unknown() });
  const pausedAtMs = Date.now();
  const steps = [{ name: 'read', url: `${target.url}/up` }];
  const { id: scenario } = await api.call(
    { method: 'POST', path: '/v1/scenarios', body: { name: 'shop', interval: 3600, steps } },
    { status: 201, shape: z.object({ id: z.string() }) },
  );
  const incidentId = (await read(down)).currentIncidentId;
  expect(incidentId).not.toBeNull();
  await service.stop();
  const stoppedAtMs = Date.now();
  const enough = () => Date.now() > stoppedAtMs + 3 * INTERVAL_MS;
  await waitUntil('three slots have passed', enough);

  service = await startService({ regions: ['eu-west'], database: service.suite });
  api = createApiClient(service.url, apiKey);
  client = new Client({ connection, namespace: service.suite });
  for (const id of [up, down, paused]) await waitUntil('its workflow runs', () => isRunning(id));
  const scenarioWorkflow = client.workflow.getHandle(scenarioWorkflowId(scenario));
  await waitUntil(
    'the workflow of the scenario runs',
    async () => (await scenarioWorkflow.describe()).status.name === 'RUNNING',
  );
  const restartedAtMs = Date.now();
  for (const id of [up, down]) {
    const results = await whenCheckedAgain(id, restartedAtMs - INTERVAL_MS, 2);
    const { doubled, unnamed } = readSlots(results, slots);
    expect({ doubled, unnamed }).toEqual({ doubled: [], unnamed: [] });
    expect(results.filter(({ gap }) => gap !== null)).toEqual([
      expect.objectContaining({ gap: expect.objectContaining({ reason: 'missed' }) }),
    ]);
  }
  expect(await read(down)).toMatchObject({ health: 'down', currentIncidentId: incidentId });
  target.broken.delete('/down');
  await whenHealth(down, 'up');
  // The incident is stored right after the health.
  const isClosed = ({ open }: { readonly open?: boolean }) => open === undefined;
  const incidents = await waitUntil('the incident is closed', async () => {
    const found = await database.models.incidents.find({ resourceId: down }).lean();
    return found.every(isClosed) && found;
  });
  expect(incidents.map(({ _id }) => _id)).toEqual([incidentId]);
  expect(await read(paused)).toMatchObject({ state: 'paused' });
  // A check that was under way may end after it.
  const later = ({ slot }: { readonly slot: string }) => Date.parse(slot) > pausedAtMs;
  expect((await api.resultsOf(paused)).filter(later)).toEqual([]);
}, 180_000);
