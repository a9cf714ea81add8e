/** Alerts as the rest asks for them: a test, handing one to a digest, and one whose workflow was lost. */
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import {
  ALERT_PRIORITY,
  type AlertInput,
  alertWorkflowId,
  type DeliveryRecord,
  type DigestState,
  digestWorkflowId,
  FOLD_SIGNAL,
  type FoldedAlert,
} from '../contracts/alerts';
import {
  type EscalationRecord,
  type EscalationState,
  escalationWorkflowId,
} from '../contracts/escalation';
import { ORCHESTRATOR_QUEUE, WORKFLOW_TYPES } from '../contracts/workflows';
import { callTemporal } from './temporal-call';

const FOLD_DEADLINE_MS = 5_000;
const RESTORE_DEADLINE_MS = 5_000;

/** Sends it and returns what became of it; ends with the deadline. */
export function sendAlert(
  client: Client,
  input: AlertInput,
  deadlineMs: number,
): Promise<readonly DeliveryRecord[]> {
  return callTemporal(client, deadlineMs, () =>
    client.workflow.execute<(input: AlertInput) => Promise<readonly DeliveryRecord[]>>(
      WORKFLOW_TYPES.alert,
      {
        workflowId: alertWorkflowId(input.alert.id),
        taskQueue: ORCHESTRATOR_QUEUE,
        priority: ALERT_PRIORITY,
        args: [input],
        workflowExecutionTimeout: deadlineMs,
        staticSummary: input.alert.kind,
      },
    ),
  );
}

/** Begins the digest of the account when there is none. */
export async function foldAlert(client: Client, folded: FoldedAlert): Promise<void> {
  const { accountId } = folded.alert;
  const state: DigestState = { v: 1, accountId, waiting: [] };
  await callTemporal(client, FOLD_DEADLINE_MS, () =>
    client.workflow.signalWithStart(WORKFLOW_TYPES.digest, {
      workflowId: digestWorkflowId(accountId),
      taskQueue: ORCHESTRATOR_QUEUE,
      priority: ALERT_PRIORITY,
      args: [state],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      signal: FOLD_SIGNAL,
      signalArgs: [folded],
      staticSummary: 'alerts that came at the same time',
    }),
  );
}

/**
 * Under the id that it always had, so that the engine itself refuses one that runs or has done its
 * work; one that was terminated is begun again, like everything that the database wants.
 */
export function restoreAlert(client: Client, input: AlertInput): Promise<boolean> {
  const { alert } = input;
  return restore(client, WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    args: [input],
    staticSummary: `${alert.kind} · begun again`,
  });
}

/** As restoreAlert. */
export function restoreEscalation(
  client: Client,
  { incidentId, state }: EscalationRecord,
): Promise<boolean> {
  return restore(client, WORKFLOW_TYPES.escalation, {
    workflowId: escalationWorkflowId(incidentId),
    args: [state],
    staticSummary: `escalation of ${state.plan.steps.length} steps · begun again`,
  });
}

interface Restored {
  readonly workflowId: string;
  readonly args: [AlertInput] | [EscalationState];
  readonly staticSummary: string;
}

function restore(client: Client, type: string, restored: Restored): Promise<boolean> {
  return callTemporal(client, RESTORE_DEADLINE_MS, async () => {
    try {
      await client.workflow.start(type, {
        ...restored,
        taskQueue: ORCHESTRATOR_QUEUE,
        priority: ALERT_PRIORITY,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      });
      return true;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw error;
    }
  });
}
