/** Builds the worker for the checks of one region. It runs activities only. */
import type { DataConverter } from '@temporalio/common';
import { ApplicationFailure } from '@temporalio/common';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { createStepActivity } from '../activities/run-stretch';
import { PROBE_STOPPED, type ProbeActivities, type WatchActivities } from '../contracts/activities';
import type { CanaryActivities } from '../contracts/operations/watchdog';
import { probeQueue, watchQueue } from '../contracts/workflows';
import type { Tracing } from '../platform/tracing';
import { traceActivities } from './carry-trace';
import { endWithWorker } from './end-with-worker';
import { createHeartbeatInterceptor, HEARTBEAT_EVERY_MS } from './heartbeat';
import { nameActivities } from './name-activities';
import { createSaveProgress } from './save-progress';

/**
 * Maximum number of checks that one probe makes at once. A check mostly waits for its target, so the number is high.
 */
const CHECKS_MAX = 400;

/**
 * Maximum number of watches (activities that repeat steady checks) that one probe runs at once. Each watch takes a few
 * kilobytes.
 */
const WATCHES_MAX = 20_000;

export interface ProbeWorkerOptions<Activities> {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly region: string;
  readonly activities: Activities;
  readonly dataConverter: DataConverter;
  readonly tracing?: Tracing | undefined;
}

/** Throws instead of reporting an outcome, because the request may already have reached the target. */
function refuseToReport(): never {
  const message = 'the probe was stopped before the target responded';
  throw ApplicationFailure.create({ message, type: PROBE_STOPPED, nonRetryable: true });
}

/**
 * Returns a worker that is ready to poll. `run()` starts it. When it is shut down, checks may take 11 s to end. Slower
 * checks are lost.
 */
export function createProbeWorker({
  connection,
  namespace,
  region,
  activities,
  dataConverter,
  tracing,
}: ProbeWorkerOptions<ProbeActivities & CanaryActivities>): Promise<Worker> {
  const { runHttpStep, takeCanary } = activities;
  const saveProgress = createSaveProgress(connection, namespace, dataConverter);
  return Worker.create({
    connection,
    namespace,
    taskQueue: probeQueue(region),
    dataConverter,
    activities: {
      takeCanary,
      runHttpStep: createStepActivity(endWithWorker(runHttpStep, refuseToReport), {
        runHttpStep,
        saveProgress,
      }),
    },
    maxConcurrentActivityTaskExecutions: CHECKS_MAX,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 25 },
    interceptors: {
      activity: [
        createHeartbeatInterceptor,
        nameActivities,
        ...(tracing === undefined ? [] : [traceActivities(tracing)]),
      ],
    },
    maxHeartbeatThrottleInterval: HEARTBEAT_EVERY_MS,
    // Cancelled work must still be reported. On a busy machine, this takes seconds.
    shutdownGraceTime: '11 seconds',
    shutdownForceTime: '20 seconds',
  });
}

/** Returns a worker that is ready to poll. `run()` starts it. Before shutting it down, hand over its watches. */
export function createWatchWorker({
  connection,
  namespace,
  region,
  activities,
  dataConverter,
}: ProbeWorkerOptions<WatchActivities>): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: watchQueue(region),
    dataConverter,
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: WATCHES_MAX,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 1, maximum: 10 },
    interceptors: { activity: [nameActivities] },
    shutdownGraceTime: '11 seconds',
    shutdownForceTime: '20 seconds',
  });
}
