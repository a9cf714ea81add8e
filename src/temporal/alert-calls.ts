/** Alerts as the rest asks for them: a test of a channel, and handing one to a digest. */
import type { Client } from '@temporalio/client';
import {
  type AlertInput,
  alertWorkflowId,
  type DeliveryRecord,
  type DigestState,
  digestWorkflowId,
  FOLD_SIGNAL,
  type FoldedAlert,
} from '../contracts/alerts';
import { ORCHESTRATOR_QUEUE, WORKFLOW_TYPES } from '../contracts/workflows';
import { callEngine } from './engine-call';

const FOLD_DEADLINE_MS = 5_000;

/** Sends it and answers with what became of it; ends with the deadline. */
export function sendAlert(
  client: Client,
  input: AlertInput,
  deadlineMs: number,
): Promise<readonly DeliveryRecord[]> {
  return callEngine(client, deadlineMs, () =>
    client.workflow.execute<(input: AlertInput) => Promise<readonly DeliveryRecord[]>>(
      WORKFLOW_TYPES.alert,
      {
        workflowId: alertWorkflowId(input.alert.id),
        taskQueue: ORCHESTRATOR_QUEUE,
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
  await callEngine(client, FOLD_DEADLINE_MS, () =>
    client.workflow.signalWithStart(WORKFLOW_TYPES.digest, {
      workflowId: digestWorkflowId(accountId),
      taskQueue: ORCHESTRATOR_QUEUE,
      args: [state],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      signal: FOLD_SIGNAL,
      signalArgs: [folded],
      staticSummary: 'alerts that came at the same time',
    }),
  );
}
