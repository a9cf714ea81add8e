/**
 * Tests inconsistencies between the database and Temporal after crashes, on a real service: records without workflows,
 * ended workflows, and signals of operators. test/faults/fault-walk.it.test.ts tests the loss of all of Temporal.
 */
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { HOUSEKEEPING_WORKFLOW_ID, PASS_NOW_SIGNAL } from '../../src/contracts/housekeeping';
import { monitorWorkflowId, SIGNALS } from '../../src/contracts/workflows';
import { createStores } from '../../src/models';
import { buildMonitorDefinition } from '../../src/services/resources/compose-config';
import { createFirstStatus } from '../../src/services/resources/save-resource';
import type { ApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { openSharedService, type SharedService } from '../support/shared-service';
import { readSlots } from '../support/slots';
import { isLongForm } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const INTERVAL_MS = 10_000;
const monitorShape = z.object({
  id: z.string(),
  state: z.string(),
  health: z.string(),
});
const slots = { region: 'eu-west', intervalMs: INTERVAL_MS };

let target: LoopbackServer;
let service: SharedService;
let connection: Connection;
let client: Client;
let api: ApiClient;

beforeAll(async () => {
  target = await startLoopbackServer((_request, response) => response.end('ok'));
  service = await openSharedService();
  ({ api } = await service.newAccount());
  connection = await Connection.connect({ address: service.temporalAddress });
  client = new Client({ connection, namespace: service.suite });
});
afterAll(async () => {
  await service?.close();
  await Promise.all([connection?.close(), target?.close()]);
});

/** Requests a pass of the housekeeping. Retries, because the housekeeping starts a little later than the service. */
const passNow = () =>
  waitUntil('the housekeeping', async () => {
    await client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID).signal(PASS_NOW_SIGNAL);
    return true;
  });
const workflowOf = (id: string) => client.workflow.getHandle(monitorWorkflowId(id));
const isRunning = async (id: string) => (await workflowOf(id).describe()).status.name === 'RUNNING';
const create = (path: string) =>
  api.createMonitor({
    name: path,
    url: `${target.url}/${path}`,
    interval: 10,
    regions: ['eu-west'],
  });
const read = (id: string) =>
  api.call({ method: 'GET', path: `/v1/monitors/${id}` }, { status: 200, shape: monitorShape });
const whenHealth = (id: string, health: string) =>
  waitUntil(`health ${health}`, async () => (await read(id)).health === health);

/** Waits for this many results of real checks after the instant, and returns all results. */
function whenCheckedAgain(id: string, afterMs: number, count: number) {
  return waitUntil(`${count} checks afterwards`, async () => {
    const rows = await api.resultsOf(id);
    const later = rows.filter(({ slot, gap }) => gap === null && Date.parse(slot) > afterMs);
    return later.length >= count && rows;
  });
}

test('a monitor stored without its workflow is checked after the next reconciliation', async () => {
  const { database } = service;
  const stores = createStores(database);
  const like = await create('like');
  const { accountId } = (await database.models.monitors.findOne({ _id: like }).lean()) ?? {};
  const row = await stores.monitors.find(String(accountId), like);
  if (row === null) throw new Error('the row is not there');
  const left = { ...row, id: `${like.slice(0, -4)}0000`, anchorMs: Date.now() };
  await stores.statuses.create(left.accountId, createFirstStatus(left));
  await stores.revisions.save(left.accountId, buildMonitorDefinition(left));
  await stores.monitors.create(left.accountId, left);
  await passNow();
  await waitUntil('a result', async () => (await api.resultsOf(left.id)).length > 0);
  expect((await api.resultsOf(left.id))[0]).toMatchObject({ status: 'up', gap: null });
});

if (isLongForm)
  test('a terminated workflow is restarted and continues with the next slot', async () => {
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

test('a terminated housekeeping workflow is restarted automatically', async () => {
  const handle = client.workflow.getHandle(HOUSEKEEPING_WORKFLOW_ID);
  const { runId } = await handle.describe();
  await handle.terminate('by mistake');
  await waitUntil('another one runs', async () => {
    const { status, runId: now } = await handle.describe();
    return status.name === 'RUNNING' && now !== runId;
  });
});

if (isLongForm)
  test('a pause and a resume that an operator sends in Temporal show in the API', async () => {
    const id = await create('operated');
    await whenHealth(id, 'up');
    await workflowOf(id).signal(SIGNALS.pause, { by: 'ops', reason: 'the shop moves' });
    await waitUntil('paused', async () => (await read(id)).state === 'paused');
    const row = await service.database.models.monitors.findOne({ _id: id }).lean();
    expect(row).toMatchObject({ pauseReason: 'the shop moves (ops)', version: 2 });
    await passNow();
    await workflowOf(id).signal(SIGNALS.resume);
    await waitUntil('active', async () => (await read(id)).state === 'active');
    await whenCheckedAgain(id, Date.now(), 1);
  });
