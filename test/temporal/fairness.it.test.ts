/**
 * Tests fairness between accounts. The targets of one account hang and use all capacity of a region. The checks of
 * another account do not wait for them.
 */
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { StepReference } from '../../src/contracts/activities';
import { monitorWorkflowId, ORCHESTRATOR_QUEUE, probeQueue } from '../../src/contracts/workflows';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { createWorkflowGateway } from '../../src/temporal/workflow-gateway';
import { monitorConfig, outcomeOf } from '../support/outcomes';
import { temporalAddress, uniqueSuite } from '../support/service';
import { waitUntil } from '../support/wait-until';
import { readWorkflowBundle } from '../support/workflow-bundle';
import { installQuietRuntime } from '../workflows/environments';

const SLOTS = 4;
const HANGING = 32;
const OTHERS = 4;
const INTERVAL_MS = 3_600_000;

test('checks of a second account start soon, even if many checks of the first account are waiting', async () => {
  installQuietRuntime();
  const namespace = uniqueSuite();
  await prepareNamespace(temporalAddress(), namespace);
  const connection = await Connection.connect({ address: temporalAddress() });
  const native = await NativeConnection.connect({ address: temporalAddress() });
  const client = new Client({ connection, namespace });
  const gateway = createWorkflowGateway(client);
  const begun: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const queue = probeQueue('eu-west');
  const orchestrator = await Worker.create({
    connection: native,
    namespace,
    taskQueue: ORCHESTRATOR_QUEUE,
    workflowBundle: await readWorkflowBundle(),
    activities: { recordMonitorCheck: async () => ({ gone: false }) },
  });
  const probe = await Worker.create({
    connection: native,
    namespace,
    taskQueue: queue,
    maxConcurrentActivityTaskExecutions: SLOTS,
    activities: {
      runHttpStep: async ({ accountId }: StepReference) => {
        begun.push(accountId);
        await released;
        return outcomeOf('up');
      },
    },
  });
  const hasCheck = async (id: string) => {
    const { raw } = await client.workflow.getHandle(monitorWorkflowId(id)).describe();
    return raw.pendingActivities?.length === 1;
  };
  const start = async (accountId: string, count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `mon_${accountId}_${index}`);
    const times = { intervalMs: INTERVAL_MS, anchorMs: Date.now() - 1 };
    await Promise.all(
      ids.map((id) => gateway.configureMonitor(monitorConfig(id, { accountId, ...times }))),
    );
    // Reads the histories of the workflows instead of the backlog. The server's estimate of a queue's backlog is up to
    // five seconds old, and a check waits at most twenty seconds.
    for (const id of ids) await waitUntil(`the check of ${id} is in the queue`, () => hasCheck(id));
  };
  const running = Promise.all([orchestrator.run(), probe.run()]);
  try {
    await start('acc_hangs', HANGING);
    await waitUntil('the region is full', () => begun.length === SLOTS);
    await start('acc_other', OTHERS);
    release();
    const others = () => begun.filter((accountId) => accountId === 'acc_other');
    await waitUntil(
      'the checks of the second account have started',
      () => others().length === OTHERS,
    );
    // If checks began in order of arrival, the last check of this account would begin last.
    expect(begun.lastIndexOf('acc_other')).toBeLessThan((HANGING + OTHERS) / 2);
  } finally {
    release();
    orchestrator.shutdown();
    probe.shutdown();
    await running;
    await native.close();
    await connection.close();
  }
});
