/**
 * Handles builds of the orchestrator in Temporal (worker deployment versions): reads the current build and the builds
 * with workers, and moves workflows between builds.
 */
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { ORCHESTRATOR_QUEUE } from '../../contracts/workflows';
import { listRecentPollers } from '../queues/pollers';
import { callTemporal } from '../temporal-call';

export const DEPLOYMENT_NAME = 'keepwatch';

const DEADLINE_MS = 5_000;
const LIST_DEADLINE_MS = 20_000;
const GRPC_NOT_FOUND = 5;
/** TASK_QUEUE_TYPE_WORKFLOW of the server's API. */
const WORKFLOW_QUEUE = 1;
/** WORKER_VERSIONING_MODE_UNVERSIONED of the server's API. Workers of releases without builds report 0. */
const UNVERSIONED = 1;
/** WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR of the server's API. */
const NON_DETERMINISTIC_ERROR = 24;
/** How many of the last events of a history are read. The last workflow task is among these events. */
const LAST_EVENTS = 100;
const ON_A_BUILD = `TemporalWorkerDeployment = '${DEPLOYMENT_NAME}' AND ExecutionStatus = 'Running'`;
const PROBLEMS_KEY = defineSearchAttributeKey('TemporalReportedProblems', 'KEYWORD_LIST');
const VERSION_KEY = defineSearchAttributeKey('TemporalWorkerDeploymentVersion', 'KEYWORD');

/** The server's name of this fault in the reported problems of a workflow. */
const UNFIT = 'cause=WorkflowTaskFailedCauseNonDeterministicError';

export interface RunningWorkflow {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  /** The build to which the workflow is pinned. null if it is pinned to none. */
  readonly build: string | null;
  /** True if the task of the workflow keeps failing. */
  readonly isStuck: boolean;
}

/** Returns the build of new workflows. Returns null if orchestrators without a build run new workflows. */
export async function readCurrentBuild(client: Client): Promise<string | null> {
  const response = await unlessNotFound(client, () =>
    client.workflowService.describeWorkerDeployment({
      namespace: client.options.namespace,
      deploymentName: DEPLOYMENT_NAME,
    }),
  );
  return response?.workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? null;
}

/**
 * Makes the build the current one. Returns false as long as the server knows no worker of the build, that is, until a
 * worker has polled.
 */
export async function makeCurrent(client: Client, build: string | null): Promise<boolean> {
  const response = await unlessNotFound(client, () =>
    client.workflowService.setWorkerDeploymentCurrentVersion({
      namespace: client.options.namespace,
      deploymentName: DEPLOYMENT_NAME,
      buildId: build ?? '',
      // Some queues may be missing, because releases add and remove queues.
      ignoreMissingTaskQueues: true,
    }),
  );
  return response !== null;
}

/**
 * Returns for how long the oldest task of the build has been waiting for a worker. Returns null if the server does not
 * know the build any more.
 */
export async function readWaitMs(client: Client, build: string): Promise<number | null> {
  const response = await unlessNotFound(client, () =>
    client.workflowService.describeWorkerDeploymentVersion({
      namespace: client.options.namespace,
      deploymentVersion: { deploymentName: DEPLOYMENT_NAME, buildId: build },
      reportTaskQueueStats: true,
    }),
  );
  if (response === null) return null;
  const waits = response.versionTaskQueues.map(
    ({ stats }) => optionalTsToMs(stats?.approximateBacklogAge) ?? 0,
  );
  return Math.max(0, ...waits);
}

/** Returns true if an orchestrator without a build polls (see `listRecentPollers`). */
export async function isServedWithoutBuild(client: Client): Promise<boolean> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: ORCHESTRATOR_QUEUE },
    taskQueueType: WORKFLOW_QUEUE,
  });
  return listRecentPollers(pollers).some(
    ({ deploymentOptions }) =>
      (deploymentOptions?.workerVersioningMode ?? UNVERSIONED) <= UNVERSIONED,
  );
}

/** Lists up to `limit` running workflows that are pinned to a build other than the given one. */
export function listElsewhere(
  client: Client,
  build: string | null,
  limit: number,
): Promise<readonly RunningWorkflow[]> {
  const query =
    build === null
      ? ON_A_BUILD
      : `${ON_A_BUILD} AND ${VERSION_KEY.name} != '${formatVersion(build)}'`;
  return list(client, query, limit);
}

/** Running workflows of an older build. */
export interface OlderBuild {
  readonly build: string;
  /** Number of workflows by type, among those that were counted. */
  readonly workflows: ReadonlyMap<string, number>;
}

/** Lists the builds that running workflows still need. Counts up to `limit` workflows. */
export async function listOlderBuilds(
  client: Client,
  limit: number,
): Promise<readonly OlderBuild[]> {
  const current = await readCurrentBuild(client);
  const builds = new Map<string, Map<string, number>>();
  for (const { build, type } of await listElsewhere(client, current, limit)) {
    if (build === null) continue;
    const workflows = builds.get(build) ?? new Map<string, number>();
    builds.set(build, workflows.set(type, (workflows.get(type) ?? 0) + 1));
  }
  return [...builds].map(([build, workflows]) => ({ build, workflows }));
}

/** Lists up to `limit` workflows that were moved to the build and have completed a task there. */
export function listMoved(
  client: Client,
  build: string,
  limit: number,
): Promise<readonly RunningWorkflow[]> {
  const isHere = `${VERSION_KEY.name} = '${formatVersion(build)}'`;
  const query = `${ON_A_BUILD} AND ${isHere} AND TemporalWorkflowVersioningBehavior = 'AutoUpgrade'`;
  return list(client, query, limit);
}

/**
 * Lists up to `limit` workflows whose task fails again and again, as reported by the server, because the code does not
 * fit the history.
 */
export function listUnfit(client: Client, limit: number): Promise<readonly RunningWorkflow[]> {
  return list(
    client,
    `TemporalReportedProblems = '${UNFIT}' AND ExecutionStatus = 'Running'`,
    limit,
  );
}

/** Moves the workflow to the current build, whichever build started it. */
export function moveToCurrent(client: Client, workflow: RunningWorkflow): Promise<void> {
  return changeOverride(client, workflow, { autoUpgrade: true });
}

/** Pins the workflow again, to the build that ran its last task. */
export function pinAgain(client: Client, workflow: RunningWorkflow): Promise<void> {
  return changeOverride(client, workflow, null);
}

/** Returns true if a task of the workflow failed because the workers' code does not fit the history. */
export async function isUnfit(
  client: Client,
  { workflowId, runId }: RunningWorkflow,
): Promise<boolean> {
  const { namespace } = client.options;
  const response = await unlessNotFound(client, () =>
    client.workflowService.getWorkflowExecutionHistoryReverse({
      namespace,
      execution: { workflowId, runId },
      maximumPageSize: LAST_EVENTS,
    }),
  );
  const [last] = (response?.history?.events ?? []).flatMap(
    (event) =>
      event.workflowTaskFailedEventAttributes ?? event.workflowTaskCompletedEventAttributes ?? [],
  );
  return last !== undefined && 'cause' in last && last.cause === NON_DETERMINISTIC_ERROR;
}

function formatVersion(build: string): string {
  return `${DEPLOYMENT_NAME}:${build}`;
}

function list(client: Client, query: string, limit: number): Promise<readonly RunningWorkflow[]> {
  return callTemporal(client, LIST_DEADLINE_MS, async () => {
    const found: RunningWorkflow[] = [];
    for await (const execution of client.workflow.list({ query })) {
      const { workflowId, runId, type, typedSearchAttributes } = execution;
      const version = typedSearchAttributes.get(VERSION_KEY);
      const build = version?.slice(formatVersion('').length) ?? null;
      const isStuck = typedSearchAttributes.get(PROBLEMS_KEY) !== undefined;
      found.push({ workflowId, runId, type, build, isStuck });
      if (found.length >= limit) break;
    }
    return found;
  });
}

async function changeOverride(
  client: Client,
  { workflowId, runId }: RunningWorkflow,
  versioningOverride: { readonly autoUpgrade: true } | null,
): Promise<void> {
  await unlessNotFound(client, () =>
    client.workflowService.updateWorkflowExecutionOptions({
      namespace: client.options.namespace,
      workflowExecution: { workflowId, runId },
      workflowExecutionOptions: { versioningOverride },
      updateMask: { paths: ['versioning_override'] },
    }),
  );
}

/** Returns the response, or null if there is no such build or workflow. */
function unlessNotFound<Result>(
  client: Client,
  call: () => Promise<Result>,
): Promise<Result | null> {
  return callTemporal(client, DEADLINE_MS, async () => {
    try {
      return await call();
    } catch (error) {
      if (isGrpcServiceError(error) && error.code === GRPC_NOT_FOUND) return null;
      throw error;
    }
  });
}
