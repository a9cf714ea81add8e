/**
 * Builds the worker of letters to subscribers. It has its own queue, so that thousands of letters do not delay alerts.
 */
import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { LETTER_QUEUE, type LetterActivities } from '../contracts/letters/letters';
import type { Tracing } from '../platform/tracing';
import { traceActivities } from './carry-trace';
import { nameActivities } from './name-activities';

export interface LetterWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly activities: LetterActivities;
  readonly dataConverter: DataConverter;
  readonly tracing?: Tracing | undefined;
}

/** How many notices are sent at once. Each notice sends a few letters at once. */
const NOTICES_AT_ONCE = 2;

export function createLetterWorker({
  connection,
  namespace,
  activities,
  dataConverter,
  tracing,
}: LetterWorkerOptions): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: LETTER_QUEUE,
    dataConverter,
    activities: { ...activities },
    interceptors: {
      activity: [nameActivities, ...(tracing === undefined ? [] : [traceActivities(tracing)])],
    },
    maxConcurrentActivityTaskExecutions: NOTICES_AT_ONCE,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 1, maximum: 2 },
    shutdownGraceTime: '8 seconds',
    shutdownForceTime: '18 seconds',
  });
}
