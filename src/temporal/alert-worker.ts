/** The worker of alerts: on a queue of its own, so that slow mail takes no check's place. */
import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { ALERT_QUEUE, type AlertActivities } from '../contracts/alerts';

export interface AlertWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly activities: AlertActivities;
  readonly dataConverter: DataConverter;
}

export function createAlertWorker({
  connection,
  namespace,
  activities,
  dataConverter,
}: AlertWorkerOptions): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: ALERT_QUEUE,
    dataConverter,
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: 100,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 },
    shutdownGraceTime: '8 seconds',
    shutdownForceTime: '12 seconds',
  });
}
