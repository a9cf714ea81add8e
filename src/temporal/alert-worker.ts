/** Builds the worker of alerts. It has its own queue, so that slow mail does not delay checks. */
import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { ALERT_QUEUE, type AlertActivities, type DeliveryOutcome } from '../contracts/alerts';
import type { CanaryActivities } from '../contracts/operations/watchdog';
import type { Tracing } from '../platform/tracing';
import { traceActivities } from './carry-trace';
import { endWithWorker } from './end-with-worker';
import { nameActivities } from './name-activities';

export interface AlertWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly activities: AlertActivities & CanaryActivities;
  readonly dataConverter: DataConverter;
  readonly tracing?: Tracing | undefined;
}

/**
 * Returns the outcome of an attempt that ended because its worker was stopped. Another sender then tries again, under
 * the same id.
 */
function stopped(): DeliveryOutcome {
  const detail = 'The sender was stopped before the receiver responded.';
  return { kind: 'later', detail, afterMs: null };
}

export function createAlertWorker({
  connection,
  namespace,
  activities,
  dataConverter,
  tracing,
}: AlertWorkerOptions): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: ALERT_QUEUE,
    dataConverter,
    activities: { ...activities, deliverAlert: endWithWorker(activities.deliverAlert, stopped) },
    interceptors: {
      activity: [nameActivities, ...(tracing === undefined ? [] : [traceActivities(tracing)])],
    },
    maxConcurrentActivityTaskExecutions: 100,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
    shutdownGraceTime: '8 seconds',
    shutdownForceTime: '18 seconds',
  });
}
