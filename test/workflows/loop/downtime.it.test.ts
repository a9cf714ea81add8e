/** Orchestrators that die and come back, on a real server: time passes here as it does outside. */
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { MonitorCheckRecord } from '../../../src/contracts/records';
import { ORCHESTRATOR_QUEUE, probeQueue } from '../../../src/contracts/workflows';
import { prepareNamespace } from '../../../src/embedded/prepare-namespace';
import { createWorkflowGateway } from '../../../src/temporal/workflow-gateway';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { temporalAddress, uniqueSuite } from '../../support/service';
import { waitUntil } from '../../support/wait-until';
import { bundleWorkflows, installQuietRuntime } from '../virtual-service';

const INTERVAL_MS = 1_000;
const namespace = uniqueSuite();
const checks: MonitorCheckRecord[] = [];
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
    workflowBundle: await bundleWorkflows(),
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
    activities: { runHttpStep: () => Promise.resolve(outcomeOf('up')) },
  });
});
afterAll(async () => {
  await stopProbe();
  await connection.close();
});

test('after a period without an orchestrator there is one check, and the rest is one gap', async () => {
  const gateway = createWorkflowGateway(
    new Client({ connection: Connection.lazy({ address: temporalAddress() }), namespace }),
  );
  let stopOrchestrator = await startOrchestrator();
  const anchorMs = Date.now();
  await gateway.configureMonitor(
    monitorConfig('mon_away', { anchorMs, intervalMs: INTERVAL_MS, budgetMs: 500 }),
  );
  await waitUntil('two checks', () => checks.length >= 2);
  await stopOrchestrator();
  const before = checks.length;
  const awayUntilMs = Date.now() + 6 * INTERVAL_MS;
  await waitUntil('six slots have passed', () => Date.now() > awayUntilMs);
  stopOrchestrator = await startOrchestrator();
  await waitUntil('checks after the period', () => checks.length >= before + 3);
  await gateway.removeMonitor('mon_away');
  await stopOrchestrator();

  const [first, ...later] = checks.slice(before);
  const named = checks.flatMap(({ gap, slotMs }) => [
    ...Array.from({ length: gap?.slots ?? 0 }, (_, k) => Number(gap?.fromSlotMs) + k * INTERVAL_MS),
    slotMs,
  ]);
  expect(named).toEqual(named.map((_, k) => anchorMs + k * INTERVAL_MS));
  expect(first?.gap?.reason).toBe('missed');
  expect(first?.gap?.slots).toBeGreaterThanOrEqual(4);
  expect(later.every(({ gap }) => gap === null)).toBe(true);
});
