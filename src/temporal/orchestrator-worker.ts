/** Builds the worker for workflows, and for activities that use the database. */
import type { DataConverter } from '@temporalio/common';
import {
  type NativeConnection,
  Worker,
  type WorkerDeploymentOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { HandOverActivities, RecordActivities } from '../contracts/activities';
import type { AlertPreparation } from '../contracts/alerts';
import type { BacklogActivities } from '../contracts/backlog';
import type { DependencyActivities } from '../contracts/dependencies';
import type { AlertAdmission } from '../contracts/digests';
import type { EscalationActivities } from '../contracts/escalation';
import type { HeartbeatActivities } from '../contracts/heartbeat';
import type { HousekeepingActivities } from '../contracts/housekeeping';
import type { RolloutActivities } from '../contracts/operations/rollouts';
import type { WatchdogActivities } from '../contracts/operations/watchdog';
import { ORCHESTRATOR_QUEUE } from '../contracts/workflows';
import type { Tracing } from '../platform/tracing';
import { traceActivities, traceSinks } from './carry-trace';
import { nameActivities } from './name-activities';
import { createFailureSinks, type TaskFailures } from './runtime/task-failures';
import { DEPLOYMENT_NAME } from './upgrade/builds';
import { WORKFLOW_BUNDLE_PATH } from './upgrade/own-build';

export type OrchestratorActivities = RecordActivities &
  HandOverActivities &
  HeartbeatActivities &
  BacklogActivities &
  HousekeepingActivities &
  DependencyActivities &
  AlertPreparation &
  AlertAdmission &
  EscalationActivities &
  WatchdogActivities &
  RolloutActivities;

export interface OrchestratorWorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly activities: OrchestratorActivities;
  readonly dataConverter: DataConverter;
  /**
   * Maximum number of workflows in memory. Beyond this number, each task must first replay its history, which takes 8
   * to 10 times the CPU.
   */
  readonly cachedWorkflows: number;
  /**
   * The build of this worker. The worker accepts only workflows of this build, and keeps them until they continue as
   * new. null means that it accepts all workflows.
   */
  readonly build: string | null;
  readonly workflowBundle?: WorkflowBundleOption;
  /** Receives the reasons why tasks fail. */
  readonly failures: Pick<TaskFailures, 'note'>;
  readonly tracing?: Tracing | undefined;
}

/** Returns a worker that is ready to poll. `run()` starts it, and its shutdown lets tasks in progress end. */
export function createOrchestratorWorker({
  connection,
  namespace,
  activities,
  dataConverter,
  cachedWorkflows,
  build,
  tracing,
  failures,
  workflowBundle = { codePath: WORKFLOW_BUNDLE_PATH },
}: OrchestratorWorkerOptions): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: ORCHESTRATOR_QUEUE,
    workflowBundle,
    ...(build === null ? {} : { workerDeploymentOptions: pinnedTo(build) }),
    dataConverter,
    activities: { ...activities },
    interceptors: {
      activity: [nameActivities, ...(tracing === undefined ? [] : [traceActivities(tracing)])],
    },
    sinks: { ...traceSinks(tracing), ...createFailureSinks(failures) },
    maxCachedWorkflows: cachedWorkflows,
    // While the database is slow, each task that records a result occupies one of these slots. The SDK does not allow
    // more slots than cached workflows.
    maxConcurrentWorkflowTaskExecutions: Math.min(200, cachedWorkflows),
    maxConcurrentLocalActivityExecutions: 400,
    maxConcurrentActivityTaskExecutions: 100,
    // The normal queue contains new workflows. If tasks pile up, the SDK polls it only once for every `maximum` polls
    // of its sticky queue. With a maximum of 25, new workflows waited too long.
    workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 5 },
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 1, maximum: 10 },
    shutdownGraceTime: '8 seconds',
    shutdownForceTime: '18 seconds',
  });
}

function pinnedTo(buildId: string): WorkerDeploymentOptions {
  const version = { deploymentName: DEPLOYMENT_NAME, buildId };
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' };
}
