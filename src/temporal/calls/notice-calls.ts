/** Starts sending notices of status pages. Housekeeping calls this code. */
import type { Client } from '@temporalio/client';
import {
  LETTER_PRIORITY,
  type NoticeProgress,
  noticeWorkflowId,
} from '../../contracts/letters/letters';
import { ORCHESTRATOR_QUEUE, WORKFLOW_TYPES } from '../../contracts/workflows';
import { callTemporal } from '../temporal-call';

const START_DEADLINE_MS = 5_000;

/**
 * Starts the workflow that sends the notice. Does nothing if it is running. A workflow that was lost can be started
 * again, because the records show which letters were sent.
 */
export async function startNotice(
  client: Client,
  { id: noticeId, accountId }: { readonly id: string; readonly accountId: string },
): Promise<void> {
  const progress: NoticeProgress = {
    v: 1,
    accountId,
    noticeId,
    writtenTo: null,
    isWritten: false,
  };
  await callTemporal(client, START_DEADLINE_MS, () =>
    client.workflow.start(WORKFLOW_TYPES.notice, {
      workflowId: noticeWorkflowId(noticeId),
      taskQueue: ORCHESTRATOR_QUEUE,
      priority: { ...LETTER_PRIORITY, fairnessKey: accountId },
      args: [progress],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: 'letters to the subscribers of a status page',
    }),
  );
}
