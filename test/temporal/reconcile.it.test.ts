/**
 * Tests the reconcile pass and the closing of lost runs, on a real Temporal server and database. No worker runs, so
 * only the pass changes anything.
 */
import type { Client } from '@temporalio/client';
import type { RunRecord } from '../../src/contracts/records';
import {
  monitorWorkflowId,
  SIGNALS,
  scenarioRunWorkflowId,
  scenarioWorkflowId,
} from '../../src/contracts/workflows';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { createReconcileSource, createRecordWrites, createStores } from '../../src/models';
import type { Monitor } from '../../src/models/resources/monitors';
import type { Scenario } from '../../src/models/resources/scenarios';
import type { Stores } from '../../src/models/stores';
import { createLogger } from '../../src/platform/logger';
import { closeLostRuns } from '../../src/services/operations/close-lost-runs';
import { reconcile } from '../../src/services/operations/reconcile';
import { buildMonitorConfig } from '../../src/services/resources/compose-config';
import { createCheckRecorder } from '../../src/services/results/record-check';
import { createTemporalClient } from '../../src/temporal/connect';
import { createReconcileGateway } from '../../src/temporal/reconcile-gateway';
import { createWorkflowGateway } from '../../src/temporal/workflow-gateway';
import {
  monitorRow,
  newId,
  pendingStatus,
  runRecord,
  scenarioRow,
} from '../models/example-records';
import { openTestDatabase, type TestDatabase } from '../models/test-database';
import { monitorConfig, requestOf, scenarioConfig } from '../support/outcomes';
import { temporalAddress, uniqueSuite } from '../support/service';
import { waitUntil } from '../support/wait-until';

const MINUTE = 60_000;
const SECRET_KEYS = ['ab'.repeat(32)];
const { signal } = new AbortController();
const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
let opened: TestDatabase;
let stores: Stores;
let client: Client;
let needs: Parameters<typeof reconcile>[0];

beforeAll(async () => {
  opened = await openTestDatabase();
  stores = createStores(opened.database);
});
beforeEach(async () => {
  const namespace = uniqueSuite();
  await prepareNamespace(temporalAddress(), namespace);
  client = createTemporalClient({ address: temporalAddress(), namespace }, SECRET_KEYS);
  const { monitors, scenarios, statuses, runs } = opened.database.models;
  await Promise.all([
    monitors.deleteMany({}),
    scenarios.deleteMany({}),
    statuses.deleteMany({}),
    runs.deleteMany({}),
  ]);
  clock.aheadMs = 0;
  needs = {
    stores,
    clock,
    logger: createLogger('test', 'silent'),
    sleep: async () => undefined,
    gateway: createWorkflowGateway(client),
    temporal: createReconcileGateway(client),
    source: createReconcileSource(opened.database),
  };
});
afterEach(() => client.connection.close());
afterAll(() => opened?.close());

const pass = (sinceMs: number | null = 0, beganAtMs = Date.now()) =>
  reconcile(needs, { beganAtMs, sinceMs, signal });
/** Runs a pass a minute after the previous pass. No listing is due. */
const shortPass = () => pass(12 * 10 * MINUTE, 12 * 10 * MINUTE + MINUTE);
const NOTHING = { started: 0, notified: 0, stopped: 0, deleted: 0, failed: 0 };

async function saveMonitor(change: Partial<Monitor> = {}): Promise<Monitor> {
  const accountId = newId('account');
  const nowMs = Date.now();
  const row = monitorRow(accountId, { anchorMs: nowMs, updatedAtMs: nowMs, ...change });
  await stores.statuses.create(accountId, pendingStatus(accountId, row.id));
  await stores.monitors.create(accountId, row);
  return row;
}

async function saveScenario(): Promise<Scenario> {
  const accountId = newId('account');
  const row = scenarioRow(accountId);
  await stores.statuses.create(accountId, pendingStatus(accountId, row.id));
  await stores.scenarios.create(accountId, row);
  return row;
}

async function signalsOf(workflowId: string): Promise<readonly string[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(
    (event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? [],
  );
}

/** Waits until Temporal lists this many open workflows, because its list lags behind starts and ends. */
async function whenListed(kind: 'monitor' | 'scenario' | 'run', count: number): Promise<void> {
  await waitUntil('Temporal lists the open workflows', async () => {
    return (await needs.temporal.listOpen(kind)).length === count;
  });
}

test('a monitor or scenario without a workflow gets a workflow, and the next pass changes nothing', async () => {
  const monitors = [await saveMonitor(), await saveMonitor({ state: 'paused' })];
  const scenario = await saveScenario();
  expect(await pass()).toEqual({ ...NOTHING, started: 3 });
  const ids = [...monitors.map(({ id }) => monitorWorkflowId(id)), scenarioWorkflowId(scenario.id)];
  for (const id of ids) {
    const { status } = await client.workflow.getHandle(id).describe();
    expect(status.name).toBe('RUNNING');
  }
  await whenListed('monitor', 2);
  await whenListed('scenario', 1);
  expect(await pass()).toEqual(NOTHING);
});

test('between two full listings, a reconciliation pass only counts workflows, unless the count is wrong', async () => {
  const { listOpen } = needs.temporal;
  let lists = 0;
  const counted: typeof listOpen = (kind) => {
    lists += 1;
    return listOpen(kind);
  };
  needs = { ...needs, temporal: { ...needs.temporal, listOpen: counted } };
  const row = await saveMonitor();
  expect(await shortPass()).toMatchObject({ started: 1 });
  await whenListed('monitor', 1);
  lists = 0;
  expect(await shortPass()).toMatchObject({ started: 0, stopped: 0 });
  expect(lists).toBe(0);

  await needs.gateway.configureMonitor(monitorConfig(newId('monitor'), { paused: true }));
  await whenListed('monitor', 2);
  clock.aheadMs = 2 * MINUTE;
  expect(await shortPass()).toMatchObject({ stopped: 1 });
  await whenListed('monitor', 1);
  expect(await stores.monitors.find(row.accountId, row.id)).not.toBeNull();
});

test('a missing and a superfluous workflow are found even if the count is right', async () => {
  const row = await saveMonitor();
  await needs.gateway.configureMonitor(monitorConfig(newId('monitor'), { paused: true }));
  await whenListed('monitor', 1);
  clock.aheadMs = 2 * MINUTE;
  expect(await shortPass()).toMatchObject({ started: 0, stopped: 0 });
  const lastMs = 12 * 10 * MINUTE + 9.5 * MINUTE;
  expect(await pass(lastMs, lastMs + MINUTE)).toMatchObject({ started: 1, stopped: 1 });
  const { status } = await client.workflow.getHandle(monitorWorkflowId(row.id)).describe();
  expect(status.name).toBe('RUNNING');
});

test('a monitor without status and revision gets both together with its workflow', async () => {
  const row = await saveMonitor();
  await opened.database.models.statuses.deleteMany({ _id: row.id });
  expect((await pass()).started).toBe(1);
  expect(await stores.statuses.findMany(row.accountId, [row.id])).toHaveLength(1);
  const revision = await stores.revisions.find(row.accountId, 'monitor', row.id, row.revision);
  expect(revision?.steps).toEqual([row.step]);
});

test('a change is sent to its workflow once more, but only while the change is recent', async () => {
  const row = await saveMonitor({ version: 3, revision: 3 });
  await needs.gateway.configureMonitor(buildMonitorConfig({ ...row, version: 2 }, Date.now()));
  await whenListed('monitor', 1);
  expect(await pass(Date.now())).toEqual({ ...NOTHING, notified: 1 });
  expect(await signalsOf(monitorWorkflowId(row.id))).toEqual(['configure', 'configure']);
  expect(await pass(Date.now() + 2 * MINUTE)).toEqual(NOTHING);
});

test('a workflow without a record is stopped after a minute, by force if necessary', async () => {
  await needs.gateway.configureMonitor(monitorConfig(newId('monitor'), { paused: true }));
  await whenListed('monitor', 1);
  expect(await pass()).toEqual(NOTHING);
  clock.aheadMs = 2 * MINUTE;
  expect(await pass()).toEqual({ ...NOTHING, stopped: 1 });
  await whenListed('monitor', 0);
});

test('an interrupted deletion is finished after a minute', async () => {
  const row = await saveMonitor({ state: 'deleting' });
  await needs.gateway.configureMonitor(buildMonitorConfig(row, Date.now()));
  await whenListed('monitor', 1);
  expect(await pass()).toEqual(NOTHING);
  clock.aheadMs = 2 * MINUTE;
  expect(await pass()).toEqual({ ...NOTHING, deleted: 1 });
  expect(await stores.monitors.find(row.accountId, row.id)).toBeNull();
  expect(await signalsOf(monitorWorkflowId(row.id))).toContain(SIGNALS.remove);
});

test('a record that cannot be repaired does not delay other records', async () => {
  await Promise.all(Array.from({ length: 4 }, () => saveMonitor()));
  const bad = await saveMonitor();
  const find = stores.monitors.find;
  const failing = {
    ...stores.monitors,
    find: (accountId: string, id: string) =>
      id === bad.id ? Promise.reject(new Error('unreadable')) : find(accountId, id),
  };
  needs = { ...needs, stores: { ...stores, monitors: failing } };
  expect(await pass()).toEqual({ ...NOTHING, started: 4, failed: 1 });
});

test('a reconciliation pass without Temporal fails and counts no workflow as missing', async () => {
  await saveMonitor();
  const away = new Error('Temporal is away');
  const refuse = () => Promise.reject(away);
  needs = { ...needs, temporal: { ...needs.temporal, listOpen: refuse, countOpen: refuse } };
  await expect(pass()).rejects.toBe(away);
  await expect(shortPass()).rejects.toBe(away);
});

test('waiting runs close once their scenario no longer lists them', async () => {
  const row = await saveScenario();
  const { accountId, id: scenarioId } = row;
  const queued = runRecord({
    accountId,
    scenarioId,
    runId: newId('run'),
    queuedAtMs: Date.now() - 10 * MINUTE,
    status: 'queued',
    sequence: 0,
  });
  await stores.runs.save(accountId, queued);
  const config = { ...scenarioConfig(scenarioId), accountId };
  const wanted = { runId: queued.runId, region: 'eu-west', variables: [] };
  await needs.gateway.runScenarioNow(config, requestOf([wanted], queued.queuedAtMs));
  const recorder = createCheckRecorder(createRecordWrites(opened.database));
  const statusNow = async () => (await stores.runs.find(accountId, queued.runId))?.status;
  expect(await closeLostRuns({ ...needs, recorder }, signal)).toBe(0);
  expect(await statusNow()).toBe('queued');
  await client.workflow.getHandle(scenarioWorkflowId(scenarioId)).terminate();
  expect(await closeLostRuns({ ...needs, recorder }, signal)).toBe(1);
  expect(await statusNow()).toBe('error');
});

test('unfinished runs are closed only if no workflow is left to end them', async () => {
  const { accountId, id: scenarioId } = await saveScenario();
  const recorder = createCheckRecorder(createRecordWrites(opened.database));
  const old = Date.now() - 10 * MINUTE;
  const save = async (change: Partial<RunRecord>): Promise<RunRecord> => {
    const run = runRecord({
      accountId,
      scenarioId,
      runId: newId('run'),
      queuedAtMs: old,
      ...change,
    });
    await stores.runs.save(accountId, run);
    return run;
  };
  const lost = await save({ status: 'running', sequence: 4 });
  const neverStarted = await save({ status: 'queued', sequence: 0 });
  const young = await save({ status: 'queued', sequence: 0, queuedAtMs: Date.now() });
  const alive = await save({ status: 'waiting', sequence: 2 });
  await client.workflow.start('scenarioRunWorkflow', {
    workflowId: scenarioRunWorkflowId(alive.runId),
    taskQueue: 'nobody',
  });
  expect(await closeLostRuns({ ...needs, recorder }, signal)).toBe(2);
  const statusOf = async ({ runId }: RunRecord) =>
    (await stores.runs.find(accountId, runId))?.status;
  expect(await statusOf(young)).toBe('queued');
  expect(await statusOf(alive)).toBe('waiting');
  expect(await statusOf(neverStarted)).toBe('error');
  const closed = await stores.runs.find(accountId, lost.runId);
  expect(closed).toMatchObject({ status: 'error', failure: { code: 'worker_lost' } });
  expect(closed?.steps.map(({ status }) => status)).not.toContain('running');
  await client.workflow.getHandle(scenarioRunWorkflowId(alive.runId)).terminate();
  await whenListed('run', 0);
  expect(await closeLostRuns({ ...needs, recorder }, signal)).toBe(1);
  expect(await statusOf(alive)).toBe('error');
});
