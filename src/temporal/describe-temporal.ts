/** Reads facts about a Temporal server and its workers, for an operator. */
import type { Client } from '@temporalio/client';
import type { WorkflowGateway } from '../services/ports/gateway';
import { createTemporalClient } from './connect';
import { explainRefusal } from './explain-refusal';
import { listRecentPollers } from './queues/pollers';
import { findPushProblem, type PushProblem } from './server-version';
import type { TemporalAddress } from './temporal-address';
import { callTemporal } from './temporal-call';
import { listOlderBuilds, type OlderBuild } from './upgrade/builds';
import { createWorkflowGateway } from './workflow-gateway';

const DEADLINE_MS = 4_000;
/** TASK_QUEUE_TYPE_WORKFLOW and TASK_QUEUE_TYPE_ACTIVITY of the server's API. */
const QUEUE_TYPES = [1, 2];
const NAMESPACES_MAX = 1_000;
const ELSEWHERE_MAX = 1_000;

export interface TemporalFacts {
  readonly version: string;
  readonly hasNamespace: boolean;
  /**
   * The reason why the server does not push cancellations to workers. null if there is none, or if the namespace is
   * missing.
   */
  readonly pushProblem: PushProblem | null;
}

/** Calls throw AppError `unavailable` if the server has not responded within 4 s. */
export interface TemporalView extends TemporalAddress {
  readonly describe: () => Promise<TemporalFacts>;
  /** Names the setting that fixes an error of `describe`. Returns null if that setting is unknown. */
  readonly explain: (error: unknown) => Promise<string | null>;
  /** Counts the workers that have polled the queue recently, for tasks of either type. */
  readonly countWorkers: (queue: string) => Promise<number>;
  /** Lists builds that running workflows still need. Looks at up to 1,000 workflows. */
  readonly listOlderBuilds: () => Promise<readonly OlderBuild[]>;
  readonly gateway: Pick<WorkflowGateway, 'readBacklogs' | 'listStuck'>;
  readonly close: () => Promise<void>;
}

/** Opens a view of the server. The connection is opened by the first call. */
export function openTemporalView(
  place: TemporalAddress,
  secretKeys: readonly string[],
): TemporalView {
  const client = createTemporalClient(place, secretKeys);
  return {
    ...place,
    describe: () => callTemporal(client, DEADLINE_MS, () => describe(client)),
    explain: (error) => explainRefusal(place, error),
    countWorkers: (queue) => callTemporal(client, DEADLINE_MS, () => countWorkers(client, queue)),
    listOlderBuilds: () => listOlderBuilds(client, ELSEWHERE_MAX),
    gateway: createWorkflowGateway(client),
    close: () => client.connection.close(),
  };
}

async function describe({ workflowService, options }: Client): Promise<TemporalFacts> {
  const { serverVersion } = await workflowService.getSystemInfo({});
  const { namespaces } = await workflowService.listNamespaces({ pageSize: NAMESPACES_MAX });
  const found = namespaces.find(({ namespaceInfo }) => namespaceInfo?.name === options.namespace);
  const hasNamespace = found !== undefined;
  const pushProblem = hasNamespace ? findPushProblem(found.namespaceInfo?.capabilities) : null;
  return { version: serverVersion, hasNamespace, pushProblem };
}

async function countWorkers({ workflowService, options }: Client, queue: string): Promise<number> {
  const { namespace } = options;
  const responses = await Promise.all(
    QUEUE_TYPES.map((taskQueueType) =>
      workflowService.describeTaskQueue({ namespace, taskQueue: { name: queue }, taskQueueType }),
    ),
  );
  const polling = responses.flatMap(({ pollers }) => listRecentPollers(pollers));
  return new Set(polling.map(({ identity }) => identity)).size;
}
