/** Orchestrators that die and come back, on a real server: time passes here as it does outside. */
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { StepReference } from '../../../src/contracts/activities';
import type { MonitorCheckRecord } from '../../../src/contracts/records';
import { ORCHESTRATOR_QUEUE, probeQueue } from '../../../src/contracts/workflows';
import { prepareNamespace } from '../../../src/embedded/prepare-namespace';
import { createWorkflowGateway } from '../../../src/temporal/workflow-gateway';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { temporalAddress, uniqueSuite } from '../../support/service';
import { waitUntil } from '../../support/wait-until';
import { readWorkflowBundle } from '../../support/workflow-bundle';
import { installQuietRuntime } from '../environments';

const INTERVAL_MS = 1_000;
const AWAY_MS = 6 * INTERVAL_MS;
/** Of monitors that are late after the downtime, and have missed no slot. */
const LONG_INTERVAL_MS = 10_000;
const LATE = Array.from({ length: 12 }, (_, index) => `mon_late_${index}`);
const namespace = uniqueSuite();
const checks: MonitorCheckRecord[] = [];
const begun: { readonly id: string; readonly slotMs: number; readonly atMs: number }[] = [];
let connection: NativeConnection;
let stopProbe: () => Promise<void>;

async function startWorker(options: Parameters<typeof Worker.create>[0]) {
  const worker = await Worker.create(options);
  const ended = worker.run();
  return async () => {
    worker.shutdown();
    await ended;
  };
}

const startOrchestrator = async () =>
  startWorker({
    connection,
    namespace,
    taskQueue: ORCHESTRATOR_QUEUE,
    workflowBundle: await readWorkflowBundle(),
    activities: {
      recordMonitorCheck: (record: MonitorCheckRecord) => {
        checks.push(record);
        return Promise.resolve({ gone: false });
      },
    },
  });

beforeAll(async () => {
  installQuietRuntime();
  await prepareNamespace(temporalAddress(), namespace);
  connection = await NativeConnection.connect({ address: temporalAddress() });
  stopProbe = await startWorker({
    connection,
    namespace,
    taskQueue: probeQueue('eu-west'),
    activities: {
      runHttpStep: ({ id, slotMs }: StepReference) => {
        begun.push({ id, slotMs, atMs: Date.now() });
        return Promise.resolve(outcomeOf('up'));
      },
    },
  });
  await beAway();
});
afterAll(async () => {
  await stopProbe();
  await connection.close();
});

let anchorMs: number;
let stoppedMs: number;
let returnedMs: number;
/** Of the short interval, until the return. */
let checksBefore: number;
const checksOf = (id: string) => checks.filter(({ monitorId }) => monitorId === id);

/** One downtime of the orchestrator, until all has been checked again. */
async function beAway(): Promise<void> {
  const gateway = createWorkflowGateway(
    new Client({ connection: Connection.lazy({ address: temporalAddress() }), namespace }),
  );
  let stopOrchestrator = await startOrchestrator();
  anchorMs = Date.now();
  const late = { intervalMs: LONG_INTERVAL_MS, budgetMs: 500 };
  for (const [index, id] of LATE.entries())
    await gateway.configureMonitor(
      monitorConfig(id, { anchorMs: anchorMs - index * 800, ...late }),
    );
  await gateway.configureMonitor(
    monitorConfig('mon_away', { anchorMs, intervalMs: INTERVAL_MS, budgetMs: 500 }),
  );
  await waitUntil('two checks', () => checksOf('mon_away').length >= 2);
  await waitUntil('a check of each', () => LATE.every((id) => checksOf(id).length > 0));
  stoppedMs = Date.now();
  await stopOrchestrator();
  const awayUntilMs = Date.now() + AWAY_MS;
  await waitUntil('six slots have passed', () => Date.now() > awayUntilMs);
  checksBefore = checksOf('mon_away').length;
  stopOrchestrator = await startOrchestrator();
  returnedMs = Date.now();
  const isChecked = (id: string) => begun.some((one) => one.id === id && one.atMs > returnedMs);
  await waitUntil('each is checked again', () => LATE.every(isChecked));
  await waitUntil('checks after the period', () => checksOf('mon_away').length >= checksBefore + 4);
  for (const id of ['mon_away', ...LATE]) await gateway.removeMonitor(id);
  await stopOrchestrator();
}

/** The slots that were run or are named in a gap, in the order of the records. */
const slotsOf = (id: string, intervalMs: number) =>
  checksOf(id).flatMap(({ gap, slotMs }) => [
    ...Array.from(
      { length: gap?.slots ?? 0 },
      (_, index) => Number(gap?.fromSlotMs) + index * intervalMs,
    ),
    slotMs,
  ]);

test('after a period without an orchestrator there is one check, and the rest is one gap', () => {
  const after = checksOf('mon_away').slice(checksBefore);
  // A check that was under way when the orchestrator went is recorded first, with nothing missed before it.
  const [{ slotMs } = { slotMs: 0 }] = after;
  const [first] = slotMs < stoppedMs + INTERVAL_MS ? after.slice(1) : after;
  const slots = slotsOf('mon_away', INTERVAL_MS);
  // A busy machine begins the workflow after its first slot, which then is none of its own.
  const [firstMs = 0] = slots;
  expect((firstMs - anchorMs) % INTERVAL_MS).toBe(0);
  expect(slots).toEqual(slots.map((_, index) => firstMs + index * INTERVAL_MS));
  expect(first?.gap?.reason).toBe('missed');
  expect(first?.gap?.slots).toBeGreaterThanOrEqual(4);
  // All of it is named by then; a busy machine may miss further slots, which are gaps of their own.
  expect(first?.slotMs).toBeGreaterThan(returnedMs - 2 * INTERVAL_MS);
});

test('checks that are late after a downtime keep their slots, and none of them begins at once', () => {
  const late = begun.filter(
    ({ id, slotMs, atMs }) =>
      LATE.includes(id) && atMs > returnedMs && slotMs > stoppedMs && slotMs < returnedMs - 2_000,
  );
  expect(late.length).toBeGreaterThan(2);
  for (const { slotMs, atMs } of late) {
    expect(atMs - returnedMs).toBeGreaterThan(500);
    expect(atMs).toBeLessThan(slotMs + LONG_INTERVAL_MS);
  }
  for (const id of LATE) {
    const slots = slotsOf(id, LONG_INTERVAL_MS);
    expect(slots).toEqual(slots.map((_, index) => Number(slots[0]) + index * LONG_INTERVAL_MS));
  }
});
