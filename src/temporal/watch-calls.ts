/** What is done to watches from outside: an attempt is failed by its token, and a lost probe gets its workflow. */
import {
  ActivityNotFoundError,
  type Client,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type LostProbe, WATCH_HANDED_OVER } from '../contracts/watches';
import { handOverWorkflowId, ORCHESTRATOR_QUEUE, WORKFLOW_TYPES } from '../contracts/workflows';
import { callTemporal } from './temporal-call';

const DEADLINE_MS = 2_500;

/**
 * The server repeats the activity at once, on another probe. False: the attempt was over already, and its token
 * counts for no other.
 */
export async function failWatch(
  client: Client,
  taskToken: string,
  reason: string,
): Promise<boolean> {
  const failure = ApplicationFailure.create({
    type: WATCH_HANDED_OVER,
    message: reason,
    nextRetryDelay: 1,
  });
  return callTemporal(client, DEADLINE_MS, async () => {
    try {
      await client.activity.fail(Buffer.from(taskToken, 'base64'), failure);
      return true;
    } catch (error) {
      if (error instanceof ActivityNotFoundError) return false;
      throw error;
    }
  });
}

/** One at a time for each process: a second call changes nothing while it runs. */
export async function startHandOver(client: Client, probe: LostProbe): Promise<void> {
  const { instance, region } = probe;
  await callTemporal(client, DEADLINE_MS, async () => {
    try {
      await client.workflow.start<(lost: LostProbe) => Promise<number>>(WORKFLOW_TYPES.handOver, {
        workflowId: handOverWorkflowId(instance),
        taskQueue: ORCHESTRATOR_QUEUE,
        args: [probe],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `lost probe in ${region}`,
        staticDetails: `The probe ${instance} of region ${region} fell silent. Its watches go to other probes.`,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  });
}
