/** Wakes the workflow that carries out the rollouts of an account. */
import type { Client } from '@temporalio/client';
import {
  ROLLOUT_PRIORITY,
  ROLLOUT_STORED_SIGNAL,
  type RolloutsInput,
  rolloutsWorkflowId,
} from '../../contracts/operations/rollouts';
import { ORCHESTRATOR_QUEUE, WORKFLOW_TYPES } from '../../contracts/workflows';
import { callTemporal } from '../temporal-call';

const DEADLINE_MS = 2_500;

/**
 * Starts the workflow, or signals it if it is running. A signal cannot come too late, because the workflow looks for
 * rollouts once more before it ends.
 */
export async function wakeRollouts(client: Client, accountId: string): Promise<void> {
  const input: RolloutsInput = { v: 1, accountId };
  await callTemporal(client, DEADLINE_MS, () =>
    client.workflow.signalWithStart(WORKFLOW_TYPES.rollouts, {
      workflowId: rolloutsWorkflowId(accountId),
      taskQueue: ORCHESTRATOR_QUEUE,
      priority: { ...ROLLOUT_PRIORITY, fairnessKey: accountId },
      args: [input],
      signal: ROLLOUT_STORED_SIGNAL,
      signalArgs: [],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: 'rollouts of an account',
    }),
  );
}
