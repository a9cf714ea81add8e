/**
 * Tests the hand-over of a lost probe on a real server, because the server decides what happens if an activity is
 * failed by its token.
 *
 * Covers:
 * - temporal/calls/watch-calls
 */
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { HandOverActivities, WatchActivities } from '../../src/contracts/activities';
import {
  handOverWorkflowId,
  monitorWorkflowId,
  ORCHESTRATOR_QUEUE,
  WORKFLOW_TYPES,
  watchQueue,
} from '../../src/contracts/workflows';
import { nextHealth } from '../../src/domain/health/health';
import { freshMonitorState } from '../../src/domain/states/fresh-state';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { createTemporalClient } from '../../src/temporal/connect';
import { createDataConverter } from '../../src/temporal/data-converter';
import { createFailureSinks } from '../../src/temporal/runtime/task-failures';
import { createWorkflowGateway } from '../../src/temporal/workflow-gateway';
import { never } from '../support/never';
import { monitorConfig } from '../support/outcomes';
import { temporalAddress, uniqueSuite } from '../support/service';
import { waitUntil } from '../support/wait-until';
import { readWorkflowBundle } from '../support/workflow-bundle';
import { installQuietRuntime } from '../workflows/environments';

const LOST = { instance: 'host:7:1', region: 'eu-west' };
const REASON = 'Its probe fell silent.';
const namespace = uniqueSuite();
const SECRET_KEYS = ['ab'.repeat(32)];
const client = createTemporalClient({ address: temporalAddress(), namespace }, SECRET_KEYS);
const gateway = createWorkflowGateway(client);
/** Task tokens by attempt. The activity stands for a watch, and returns nothing before its third attempt. */
const tokens: string[] = [];
const activities: HandOverActivities = {
  handOverWatches: async () => {
    tokens.push(Buffer.from(Context.current().info.taskToken).toString('base64'));
    if (tokens.length === 3) return 5;
    throw new CompleteAsyncError();
  },
};
const failures: unknown[] = [];
let worker: Worker;
let running: Promise<void>;

beforeAll(async () => {
  installQuietRuntime();
  await prepareNamespace(temporalAddress(), namespace);
  worker = await Worker.create({
    connection: await NativeConnection.connect({ address: temporalAddress() }),
    namespace,
    taskQueue: ORCHESTRATOR_QUEUE,
    workflowBundle: await readWorkflowBundle(),
    dataConverter: createDataConverter(SECRET_KEYS, namespace),
    sinks: createFailureSinks({ note: (_run, failure) => failures.push(failure) }),
    activities,
  });
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await client.connection.close();
});

const attempt = async (number: number): Promise<string> => {
  await waitUntil(`attempt ${number}`, () => tokens.length >= number);
  return tokens[number - 1] ?? '';
};

test('ending an attempt of a watch by its task token starts a new attempt', async () => {
  await Promise.all([1, 2, 3].map(() => gateway.handOver(LOST)));
  const handle = client.workflow.getHandle(handOverWorkflowId(LOST.instance));
  expect(await gateway.failWatch(await attempt(1), REASON)).toBe(true);
  const second = await attempt(2);
  expect(await gateway.failWatch(await attempt(1), REASON)).toBe(false);
  expect(tokens).toHaveLength(2);
  await gateway.handOver(LOST);
  expect(await gateway.failWatch(second, REASON)).toBe(true);
  expect(await handle.result()).toBe(5);
  expect(await gateway.failWatch(await attempt(3), REASON)).toBe(false);
  await never(() => expect(failures).toEqual([]));
});

/** Returns a monitor whose last check was up. */
function steadyMonitor(id: string) {
  const anchorMs = Date.now();
  const config = monitorConfig(id, { anchorMs, intervalMs: 3_600_000 });
  const [region = ''] = config.regions;
  const fresh = freshMonitorState(config);
  const observations = [{ region, status: 'up', responseTimeMs: 1 }] as const;
  const expected = { status: 'up', failure: null, assertions: [], fingerprint: null } as const;
  return {
    ...fresh,
    health: nextHealth(fresh.health, { atMs: anchorMs, observations }, config),
    lastSlotMs: anchorMs,
    checkedRevision: config.revision,
    steady: { regions: [{ region, expected }], certificates: [] },
  };
}

test('a hand-over retries a watch that a probe accepted but did not open, and ignores a queued watch', async () => {
  const watch = { monitorId: 'mon_hangs', region: 'eu-west' };
  expect(await gateway.failUnopenedWatch(watch, REASON)).toBe(false);
  const workflowId = monitorWorkflowId(watch.monitorId);
  const handle = await client.workflow.start(WORKFLOW_TYPES.monitor, {
    workflowId,
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [steadyMonitor(watch.monitorId)],
  });
  await waitUntil('its watch', async () => {
    const { raw } = await handle.describe();
    return (raw.pendingActivities ?? []).length === 1;
  });
  expect(await gateway.failUnopenedWatch(watch, REASON)).toBe(false);
  let attempts = 0;
  const probes: WatchActivities = {
    watchMonitor: async () => {
      attempts += 1;
      throw new CompleteAsyncError();
    },
  };
  const probe = await Worker.create({
    connection: await NativeConnection.connect({ address: temporalAddress() }),
    namespace,
    taskQueue: watchQueue(watch.region),
    dataConverter: createDataConverter(SECRET_KEYS, namespace),
    activities: { ...probes },
  });
  await probe.runUntil(async () => {
    await waitUntil('the first attempt', () => attempts === 1);
    expect(await gateway.failUnopenedWatch({ ...watch, region: 'us-east' }, REASON)).toBe(false);
    expect(await gateway.failUnopenedWatch(watch, REASON)).toBe(true);
    await waitUntil('the second attempt', () => attempts === 2);
  });
  await handle.terminate();
  await never(() => expect(failures).toEqual([]));
});

test('asking for the end of a watch succeeds even if its workflow does not exist', async () => {
  await expect(gateway.endWatch('mon_none')).resolves.toBeUndefined();
});
