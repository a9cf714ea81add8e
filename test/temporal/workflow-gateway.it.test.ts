/** Tests the gateway against a real server, and without a server. Other tests cover its workflows. */
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { StepReference } from '../../src/contracts/activities';
import {
  monitorWorkflowId,
  ORCHESTRATOR_QUEUE,
  probeQueue,
  SEARCH_ATTRIBUTES,
  scenarioWorkflowId,
} from '../../src/contracts/workflows';
import { choosePort } from '../../src/embedded/free-port';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { AppError } from '../../src/platform/errors';
import { createTemporalClient } from '../../src/temporal/connect';
import { createWorkflowGateway } from '../../src/temporal/workflow-gateway';
import { monitorConfig, requestOf, scenarioConfig } from '../support/outcomes';
import { temporalAddress, uniqueSuite } from '../support/service';
import { waitUntil } from '../support/wait-until';
import { readWorkflowBundle } from '../support/workflow-bundle';
import { installQuietRuntime } from '../workflows/environments';

const SECRET_KEYS = ['ab'.repeat(32)];
const namespace = uniqueSuite();
const gateway = createWorkflowGateway(
  createTemporalClient({ address: temporalAddress(), namespace }, SECRET_KEYS),
);
let connection: Connection;
let client: Client;

beforeAll(async () => {
  installQuietRuntime();
  await prepareNamespace(temporalAddress(), namespace);
  connection = await Connection.connect({ address: temporalAddress() });
  client = new Client({ connection, namespace });
});
afterAll(() => connection.close());

const eventsOf = async (workflowId: string) => {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap((event) => {
    const signal = event.workflowExecutionSignaledEventAttributes?.signalName;
    return signal === undefined || signal === null ? [] : [signal];
  });
};

test('the first version of a monitor starts the workflow, and later versions are sent to that workflow', async () => {
  const config = monitorConfig('mon_once');
  await Promise.all([1, 2, 3].map((version) => gateway.configureMonitor({ ...config, version })));
  expect(await eventsOf(monitorWorkflowId('mon_once'))).toEqual(['configure', 'configure']);
  const { searchAttributes, status } = await client.workflow
    .getHandle(monitorWorkflowId('mon_once'))
    .describe();
  expect(status.name).toBe('RUNNING');
  expect(searchAttributes[SEARCH_ATTRIBUTES.account]).toEqual(['acc_1']);
  expect(searchAttributes[SEARCH_ATTRIBUTES.health]).toEqual(['pending']);
});

test("a request to run a scenario starts the scenario's workflow again after it was terminated", async () => {
  const workflowId = scenarioWorkflowId('scn_heal');
  const config = scenarioConfig('scn_heal');
  await gateway.configureScenario(config);
  await client.workflow.getHandle(workflowId).terminate('lost');
  const requested = { runId: 'r', region: 'eu-west', variables: [] };
  await gateway.runScenarioNow(config, requestOf([requested], 1));
  expect(await eventsOf(workflowId)).toEqual(['runNow']);
});

test('a change is sent to its workflow as a signal if there is no worker', async () => {
  await gateway.configureMonitorNow(monitorConfig('mon_noworker', { version: 2 }));
  expect(await eventsOf(monitorWorkflowId('mon_noworker'))).toEqual(['configure']);
});

test('the server reports its version and the backlog of a queue without workers', async () => {
  expect((await gateway.describe(3_000)).version).toMatch(/^\d+\.\d+/);
  await gateway.configureMonitor(monitorConfig('mon_waits'));
  await waitUntil('the workflow task is counted', async () => {
    const [backlog] = await gateway.readBacklogs([ORCHESTRATOR_QUEUE], 3_000);
    return backlog !== undefined && backlog.tasks > 0;
  });
  const queue = 'probe-nobody';
  expect(await gateway.readBacklogs([queue], 3_000)).toEqual([{ queue, tasks: 0, oldestMs: 0 }]);
});

test('removing a workflow that does not run succeeds', async () => {
  await expect(gateway.removeMonitor('mon_never')).resolves.toBeUndefined();
  await expect(gateway.removeScenario('scn_never')).resolves.toBeUndefined();
});

test('without a Temporal server, every call fails with the code `unavailable`', async () => {
  const address = `127.0.0.1:${await choosePort(undefined)}`;
  const absent = createWorkflowGateway(createTemporalClient({ address, namespace }, SECRET_KEYS));
  const check = { requestId: 'r', requestedAtMs: 1 };
  const calls = [
    () => absent.configureMonitor(monitorConfig('mon_x')),
    () => absent.configureMonitorNow(monitorConfig('mon_x')),
    () => absent.checkMonitorNow(monitorConfig('mon_x'), check),
    () => absent.removeMonitor('mon_x'),
    () => absent.ping(500),
    () => absent.describe(500),
  ];
  const failures = await Promise.all(
    calls.map((call) =>
      call()
        .then(() => null)
        .catch((error: unknown) => error),
    ),
  );
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'unavailable' });
  }
});

test('a configuration that its workflow refuses is an error', async () => {
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address: temporalAddress() }),
    namespace,
    taskQueue: ORCHESTRATOR_QUEUE,
    workflowBundle: await readWorkflowBundle(),
    activities: { recordMonitorCheck: async () => ({ gone: false }) },
  });
  const plain = createWorkflowGateway(client);
  await worker.runUntil(async () => {
    const config = monitorConfig('mon_refuses', { paused: true });
    await plain.configureMonitor(config);
    await waitUntil('the workflow responds', async () => {
      await plain.configureMonitorNow({ ...config, version: 2 });
      return true;
    });
    const unusable = { ...config, version: 3, intervalMs: -1 };
    await expect(plain.configureMonitorNow(unusable)).rejects.toMatchObject({ code: 'internal' });
  });
});

/** Number of concurrent polls. */
const POLLERS = 2;

/**
 * Tests the cancellation of activities without heartbeats. A poll contains the queue on which its worker receives
 * cancellations. The SDK gets the name of this queue in the background, while the worker sends its first polls. So a
 * task that one of the first polls gets may never get its cancellation.
 */
test('activities that start after the first polls of their worker learn of their cancellation without heartbeats', async () => {
  const first = Array.from({ length: POLLERS }, (_, at) => `mon_first_${at}`);
  const later = Array.from({ length: 4 }, (_, at) => `mon_later_${at}`);
  const begun = new Set<string>();
  const told = new Map<string, unknown>();
  const native = await NativeConnection.connect({ address: temporalAddress() });
  const shared = { connection: native, namespace };
  const orchestrator = await Worker.create({
    ...shared,
    taskQueue: ORCHESTRATOR_QUEUE,
    workflowBundle: await readWorkflowBundle(),
    activities: { recordMonitorCheck: async () => ({ gone: false }) },
  });
  const probe = await Worker.create({
    ...shared,
    taskQueue: probeQueue('eu-west'),
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: POLLERS },
    activities: {
      // This activity sends no heartbeats, and its worker has no interceptor that sends heartbeats.
      runHttpStep: async ({ id }: StepReference) => {
        const { cancelled } = Context.current();
        begun.add(id);
        await cancelled.finally(() => told.set(id, Context.current().cancellationDetails));
      },
    },
  });
  const plain = createWorkflowGateway(client);
  const startChecks = async (ids: readonly string[]): Promise<void> => {
    const anchorMs = Date.now() - 1;
    await Promise.all(ids.map((id) => plain.configureMonitor(monitorConfig(id, { anchorMs }))));
    await waitUntil('the checks are in flight', () => ids.every((id) => begun.has(id)));
  };
  await orchestrator.runUntil(
    probe.runUntil(async () => {
      await startChecks(first);
      await startChecks(later);
      await Promise.all(later.map((id) => plain.removeMonitor(id)));
      await waitUntil('the checks are cancelled', () => later.every((id) => told.has(id)));
      await Promise.all(first.map((id) => plain.removeMonitor(id)));
    }),
  );
  // The details must show a cancellation, because a timeout would also end the activity.
  const cancelled = expect.objectContaining({ cancelRequested: true, timedOut: false });
  expect(later.map((id) => told.get(id))).toEqual(later.map(() => cancelled));
  await native.close();
});
