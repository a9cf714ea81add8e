/** Sends a test alert, adds alerts to a digest, and restores a lost alert. */
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Priority } from '@temporalio/common';
import {
  ALERT_PRIORITY,
  type AlertInput,
  type AlertMessage,
  alertWorkflowId,
  type DeliveryRecord,
  EVENT_PRIORITY,
  type FoldedAlert,
} from '../../contracts/alerts';
import { type DigestState, digestWorkflowId, FOLD_SIGNAL } from '../../contracts/digests';
import {
  ESCALATION_SIGNAL,
  type EscalationPlan,
  type EscalationRecord,
  type EscalationState,
  escalationWorkflowId,
  FURTHER_STEPS_SIGNAL,
} from '../../contracts/escalation';
import { ORCHESTRATOR_QUEUE, WORKFLOW_TYPES } from '../../contracts/workflows';
import { callTemporal } from '../temporal-call';

const FOLD_DEADLINE_MS = 5_000;
const ASK_DEADLINE_MS = 3_000;
const RESTORE_DEADLINE_MS = 5_000;

/** Sends the alert and returns its delivery records. Gives up at the deadline. */
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
        priority: { ...ALERT_PRIORITY, fairnessKey: input.alert.accountId },
        args: [input],
        workflowExecutionTimeout: deadlineMs,
        staticSummary: input.alert.kind,
      },
    ),
  );
}

/**
 * Sends alerts of one account to the digest of the account, all in one signal. The digest is a workflow that collects
 * alerts, and sends them together to each recipient. If the digest is not running, starts it.
 */
export async function foldAlerts(client: Client, folded: readonly FoldedAlert[]): Promise<void> {
  const [first] = folded;
  if (first === undefined) return;
  const { accountId } = first.alert;
  const state: DigestState = { v: 1, accountId, waiting: [] };
  await callTemporal(client, FOLD_DEADLINE_MS, () =>
    client.workflow.signalWithStart(WORKFLOW_TYPES.digest, {
      workflowId: digestWorkflowId(accountId),
      taskQueue: ORCHESTRATOR_QUEUE,
      priority: { ...ALERT_PRIORITY, fairnessKey: accountId },
      args: [state],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      signal: FOLD_SIGNAL,
      signalArgs: [folded],
      staticSummary: 'alerts that came at the same time',
    }),
  );
}

/** Returns true if the escalation of the incident is in progress. */
export function isEscalating(client: Client, incidentId: string): Promise<boolean> {
  return callTemporal(client, ASK_DEADLINE_MS, async () => {
    try {
      const handle = client.workflow.getHandle(escalationWorkflowId(incidentId));
      return (await handle.describe()).closeTime === undefined;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  });
}

/**
 * Starts the alert's workflow under the original id of the alert. If the alert is running or completed, Temporal
 * refuses the start, and the function returns false. A terminated alert is started again.
 */
export function restoreAlert(client: Client, input: AlertInput): Promise<boolean> {
  const { alert } = input;
  return restore(client, WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    args: [input],
    priority: {
      ...(alert.kind === 'event' ? EVENT_PRIORITY : ALERT_PRIORITY),
      fairnessKey: alert.accountId,
    },
    staticSummary: alert.event?.type ?? `${alert.kind} · restarted`,
  });
}

/** Restores a lost escalation in the same way as `restoreAlert` does for alerts. */
export function restoreEscalation(
  client: Client,
  { accountId, incidentId, state }: EscalationRecord,
): Promise<boolean> {
  return restore(client, WORKFLOW_TYPES.escalation, {
    workflowId: escalationWorkflowId(incidentId),
    args: [state],
    priority: { ...ALERT_PRIORITY, fairnessKey: accountId },
    staticSummary: `escalation of ${state.plan.steps.length} steps · restarted`,
  });
}

/** Adds steps to the escalation, or starts the escalation. Does nothing if it has ended. */
export function extendEscalation(
  client: Client,
  record: EscalationRecord,
  plan: EscalationPlan,
): Promise<void> {
  return signalEscalation(client, record, { signal: FURTHER_STEPS_SIGNAL, signalArgs: [plan] });
}

/** Passes the recovery to the escalation. Starts the escalation if it was lost, and does nothing if it has ended. */
export function endEscalation(
  client: Client,
  record: EscalationRecord,
  recovery: AlertMessage,
): Promise<void> {
  return signalEscalation(client, record, { signal: ESCALATION_SIGNAL, signalArgs: [recovery] });
}

function signalEscalation(
  client: Client,
  { accountId, incidentId, state }: EscalationRecord,
  signalled: { readonly signal: string; readonly signalArgs: [EscalationPlan | AlertMessage] },
): Promise<void> {
  return callTemporal(client, RESTORE_DEADLINE_MS, async () => {
    try {
      await client.workflow.signalWithStart(WORKFLOW_TYPES.escalation, {
        workflowId: escalationWorkflowId(incidentId),
        taskQueue: ORCHESTRATOR_QUEUE,
        priority: { ...ALERT_PRIORITY, fairnessKey: accountId },
        args: [state],
        ...signalled,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        staticSummary: `escalation of ${state.plan.steps.length} steps`,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  });
}

interface Restored {
  readonly workflowId: string;
  readonly args: [AlertInput] | [EscalationState];
  readonly priority: Priority;
  readonly staticSummary: string;
}

function restore(client: Client, type: string, restored: Restored): Promise<boolean> {
  return callTemporal(client, RESTORE_DEADLINE_MS, async () => {
    try {
      await client.workflow.start(type, {
        ...restored,
        taskQueue: ORCHESTRATOR_QUEUE,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      });
      return true;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw error;
    }
  });
}
