/** The calls to Temporal of the reconcile pass, which compares the database with the running workflows. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { alertWorkflowId } from '../contracts/alerts';
import type { ResourceKind } from '../contracts/definition';
import { digestWorkflowId } from '../contracts/digests';
import { escalationWorkflowId } from '../contracts/escalation';
import {
  monitorWorkflowId,
  PENDING_RUNS_QUERY,
  SIGNALS,
  scenarioRunWorkflowId,
  scenarioWorkflowId,
  WORKFLOW_TYPES,
} from '../contracts/workflows';
import type { OpenWorkflow, ReconcileGateway } from '../services/operations/reconcile-gateway';
import {
  endEscalation,
  extendEscalation,
  foldAlerts,
  restoreAlert,
  restoreEscalation,
} from './calls/alert-calls';
import { callTemporal } from './temporal-call';
import { buildScenarioTarget, buildTarget, configureTarget } from './workflow-gateway';

const LIST_DEADLINE_MS = 20_000;
const CALL_DEADLINE_MS = 5_000;
/** How long a workflow may take to end by itself. */
const END_WITHIN_MS = 10_000;
const PAGE_SIZE = 1_000;

/** The workflow types of each kind, and the prefix of their ids. */
const KINDS = {
  monitor: {
    types: [WORKFLOW_TYPES.monitor, WORKFLOW_TYPES.heartbeat],
    prefix: monitorWorkflowId(''),
  },
  scenario: { types: [WORKFLOW_TYPES.scenario], prefix: scenarioWorkflowId('') },
  run: { types: [WORKFLOW_TYPES.scenarioRun], prefix: scenarioRunWorkflowId('') },
  alert: { types: [WORKFLOW_TYPES.alert], prefix: alertWorkflowId('') },
  digest: { types: [WORKFLOW_TYPES.digest], prefix: digestWorkflowId('') },
  escalation: { types: [WORKFLOW_TYPES.escalation], prefix: escalationWorkflowId('') },
} as const;

export function createReconcileGateway(client: Client): ReconcileGateway {
  return {
    listOpen: (kind) => listOpen(client, KINDS[kind]),
    countOpen: (kind) => countOpen(client, KINDS[kind]),
    restoreMonitor: (state) =>
      configureTarget(client, buildTarget(state.config, state), CALL_DEADLINE_MS),
    restoreScenario: (state) =>
      configureTarget(client, buildScenarioTarget(state.config, state), CALL_DEADLINE_MS),
    stop: (kind, id) => stop(client, buildWorkflowId(kind, id)),
    terminate: async (workflowId, reason) => {
      const handle = client.workflow.getHandle(workflowId);
      await unlessNotFound(client, () => handle.terminate(reason));
    },
    listPendingRuns: (scenarioId) => listPendingRuns(client, scenarioWorkflowId(scenarioId)),
    restoreAlert: (input) => restoreAlert(client, input),
    foldAlert: (folded) => foldAlerts(client, [folded]),
    restoreEscalation: (record) => restoreEscalation(client, record),
    extendEscalation: (record, plan) => extendEscalation(client, record, plan),
    endEscalation: (record, recovery) => endEscalation(client, record, recovery),
    isRunOpen: (runId) => isOpen(client, scenarioRunWorkflowId(runId)),
  };
}

function buildWorkflowId(kind: ResourceKind, id: string): string {
  return KINDS[kind].prefix + id;
}

type OpenKind = (typeof KINDS)[keyof typeof KINDS];

/**
 * Builds a query for open workflows. An open workflow has no close time: it is running, or was paused by an operator.
 */
function openQuery({ types }: OpenKind): string {
  return `WorkflowType IN (${types.map((type) => `'${type}'`).join(', ')}) AND CloseTime IS NULL`;
}

async function countOpen(client: Client, kind: OpenKind): Promise<number> {
  const { namespace } = client.options;
  const { count } = await callTemporal(client, LIST_DEADLINE_MS, () =>
    client.workflowService.countWorkflowExecutions({ namespace, query: openQuery(kind) }),
  );
  return Number(count);
}

async function listOpen(client: Client, kind: OpenKind): Promise<readonly OpenWorkflow[]> {
  const { prefix } = kind;
  const open: OpenWorkflow[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await callTemporal(client, LIST_DEADLINE_MS, () =>
      client.workflowService.listWorkflowExecutions({
        namespace: client.options.namespace,
        query: openQuery(kind),
        pageSize: PAGE_SIZE,
        nextPageToken,
      }),
    );
    for (const { execution, startTime } of page.executions) {
      const workflowId = execution?.workflowId ?? '';
      if (!workflowId.startsWith(prefix)) continue;
      const startedAtMs = Number(startTime?.seconds ?? 0) * 1_000;
      open.push({ id: workflowId.slice(prefix.length), startedAtMs });
    }
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return open;
}

/** Signals the workflow to end, and terminates it if it does not end in time. */
async function stop(client: Client, workflowId: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  await unlessNotFound(client, () => handle.signal(SIGNALS.remove));
  const hasEnded = await client
    .withDeadline(Date.now() + END_WITHIN_MS, () => handle.result())
    .then(() => true)
    .catch(() => false);
  if (hasEnded) return;
  await unlessNotFound(client, () =>
    handle.terminate('its definition is gone, and it did not end by itself'),
  );
}

async function isOpen(client: Client, workflowId: string): Promise<boolean> {
  const description = await unlessNotFound(client, () =>
    client.workflow.getHandle(workflowId).describe(),
  );
  return description !== null && description.closeTime === undefined;
}

/**
 * Lists the runs that the workflow carries out. Only an open workflow is asked, because a workflow that has ended would
 * return its last state.
 */
async function listPendingRuns(client: Client, workflowId: string): Promise<readonly string[]> {
  if (!(await isOpen(client, workflowId))) return [];
  const pending = await unlessNotFound(client, () =>
    client.workflow.getHandle(workflowId).query<readonly string[]>(PENDING_RUNS_QUERY),
  );
  return pending ?? [];
}

/** Makes the call. Returns null if the workflow does not exist or has ended. */
function unlessNotFound<Result>(
  client: Client,
  call: () => Promise<Result>,
): Promise<Result | null> {
  return callTemporal(client, CALL_DEADLINE_MS, async () => {
    try {
      return await call();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  });
}
