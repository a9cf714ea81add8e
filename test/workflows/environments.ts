/** The environments in which workflows of tests run: the test's own process, or the server of the test run. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { ORCHESTRATOR_QUEUE } from '../../src/contracts/workflows';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { temporalAddress, uniqueSuite } from '../support/service';
import { waitUntil } from '../support/wait-until';
import { readWorkflowBundle } from '../support/workflow-bundle';
import type { Activities } from './in-process/attempts';
import { startInProcessTemporal } from './in-process/in-process-temporal';

type Probe<Value> = () => Promise<Value | undefined | false> | Value | undefined | false;

export interface Environment {
  readonly client: Client;
  /** Resolves when nothing can happen before time passes. */
  readonly settle: () => Promise<void>;
  readonly pass: (ms: number) => Promise<void>;
  /** Waits for the time that a probe or a database takes. Other callers let time pass in the meantime. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Lets as much time pass as is needed until `probe` returns a value. */
  readonly until: <Value>(what: string, probe: Probe<Value>) => Promise<Value>;
  readonly startOrchestrator: (activities: Activities) => Promise<RunningWorker>;
  readonly startWorker: (queue: string, activities: Activities) => Promise<RunningWorker>;
  readonly stop: () => Promise<void>;
}

export interface RunningWorker {
  readonly stop: () => Promise<void>;
}

/** Upper bound of the time that a test waits for a condition, in milliseconds. */
const UNTIL_MS = 25 * 3_600_000;

/**
 * Opens an environment in which time passes only when a test moves it. When the environment is closed, no workflow task
 * may have failed, and every history must replay.
 */
export async function openInProcess(): Promise<Environment> {
  installQuietRuntime();
  const temporal = await startInProcessTemporal();
  const { client, server, time } = temporal;
  const requireNoFailure = (): void => {
    const [failure] = server.taskFailures;
    if (failure !== undefined) throw new Error(`a task of a workflow failed: ${failure}`);
  };
  const until = async <Value>(what: string, probe: Probe<Value>): Promise<Value> => {
    const lastMs = time.nowMs() + UNTIL_MS;
    for (await time.settle(); ; ) {
      requireNoFailure();
      const value = await probe();
      if (value !== undefined && value !== false) return value;
      if (time.nowMs() > lastMs || !(await time.step())) throw new Error(`It never came: ${what}`);
    }
  };
  return {
    client,
    settle: time.settle,
    pass: async (ms) => {
      await time.pass(ms);
      requireNoFailure();
    },
    sleep: (ms) => new Promise((resolve) => void time.after(ms, resolve)),
    until,
    startOrchestrator: async (activities) => {
      const stopActivities = server.queues.startWorker(ORCHESTRATOR_QUEUE, activities);
      server.startOrchestrator(activities);
      return {
        stop: async () => {
          stopActivities();
          await server.loseOrchestrator();
        },
      };
    },
    startWorker: async (queue, activities) => {
      const stop = server.queues.startWorker(queue, activities);
      return { stop: async () => stop() };
    },
    stop: async () => {
      temporal.stop();
      expect(server.taskFailures).toEqual([]);
      await temporal.replayAll();
    },
  };
}

/** Opens an environment on the server of the test run. There, time passes by itself. */
export async function openRealTime(): Promise<Environment> {
  installQuietRuntime();
  const address = temporalAddress();
  const namespace = uniqueSuite();
  await prepareNamespace(address, namespace);
  const environment = await TestWorkflowEnvironment.createFromExistingServer({
    address,
    namespace,
  });
  const { client, nativeConnection: connection } = environment;
  const common = { connection, namespace };
  return {
    client,
    settle: async () => undefined,
    pass: (ms) => sleep(ms),
    sleep: (ms) => sleep(ms),
    until: waitUntil,
    startOrchestrator: async (activities) =>
      startWorker({
        ...common,
        taskQueue: ORCHESTRATOR_QUEUE,
        workflowBundle: await readWorkflowBundle(),
        activities,
        stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT_MS,
      }),
    startWorker: (taskQueue, activities) => startWorker({ ...common, taskQueue, activities }),
    stop: () => environment.teardown(),
  };
}

/** Milliseconds for which a workflow task waits for a lost worker before another worker gets it. */
const STICKY_TIMEOUT_MS = 500;

async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const worker = await Worker.create(options);
  const ended = worker.run();
  return {
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

/**
 * Installs a runtime that prints only errors. The test files of a worker process share the runtime. It ends with the
 * last Temporal worker.
 */
export function installQuietRuntime(): void {
  if (Runtime._instance !== undefined) return;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
    },
  });
}
