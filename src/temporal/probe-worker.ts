/** The worker that sends the HTTP requests of one region: activities only, no workflows. */
import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker } from '@temporalio/worker';
import type { ProbeActivities } from '../contracts/activities';
import { probeQueue } from '../contracts/workflows';

/** Checks that one probe carries out at a time; mostly they wait for a target. */
const CHECKS_MAX = 400;

export interface ProbeWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly region: string;
  readonly activities: ProbeActivities;
  readonly dataConverter: DataConverter;
}

/** Ready to poll; `run()` starts it. Shutting it down lets checks in progress end within 12 s. */
export function createProbeWorker({
  connection,
  namespace,
  region,
  activities,
  dataConverter,
}: ProbeWorkerOptions): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: probeQueue(region),
    dataConverter,
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: CHECKS_MAX,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 25 },
    shutdownGraceTime: '12 seconds',
    shutdownForceTime: '13 seconds',
  });
}
