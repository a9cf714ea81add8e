/**
 * The hand-over of a lost probe on a real server: what a failure by token does is the server's affair.
 *
 * Covers:
 * - temporal/watch-calls
 */
import { CompleteAsyncError, Context } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { HandOverActivities } from '../../src/contracts/activities';
import { handOverWorkflowId, ORCHESTRATOR_QUEUE } from '../../src/contracts/workflows';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { createTemporalClient } from '../../src/temporal/connect';
import { createDataConverter } from '../../src/temporal/data-converter';
import { failureSinks } from '../../src/temporal/runtime/task-failures';
import { createWorkflowGateway } from '../../src/temporal/workflow-gateway';
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
/** Of each attempt of the activity, which stands for a watch: it reports nothing by itself but at its third. */
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
    sinks: failureSinks({ note: (_run, failure) => failures.push(failure) }),
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

test('a watch that is failed by its token is repeated, and an older token changes nothing', async () => {
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
  expect(failures).toEqual([]);
});

test('asking for the end of a watch succeeds where there is no workflow', async () => {
  await expect(gateway.endWatch('mon_none')).resolves.toBeUndefined();
});
