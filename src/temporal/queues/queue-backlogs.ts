/** Reads how many tasks wait on task queues, as the server estimates it. */
import type { Client } from '@temporalio/client';
import type { QueueBacklog } from '../../services/ports/gateway';
import { callTemporal } from '../temporal-call';

/** TASK_QUEUE_TYPE_WORKFLOW and TASK_QUEUE_TYPE_ACTIVITY of the server's API. */
const QUEUE_TYPES = [1, 2];

/**
 * Returns the backlog of each queue. Workflow tasks and activity tasks are counted together. The reported age is that
 * of the oldest task.
 */
export function readBacklogs(
  client: Client,
  queues: readonly string[],
  deadlineMs: number,
): Promise<readonly QueueBacklog[]> {
  return callTemporal(client, deadlineMs, () =>
    Promise.all(queues.map((queue) => readBacklog(client, queue))),
  );
}

async function readBacklog(client: Client, queue: string): Promise<QueueBacklog> {
  const responses = await Promise.all(
    QUEUE_TYPES.map((taskQueueType) =>
      client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: queue },
        taskQueueType,
        reportStats: true,
      }),
    ),
  );
  const stats = responses.map((response) => response.stats);
  return {
    queue,
    tasks: stats.reduce((sum, stat) => sum + Number(stat?.approximateBacklogCount ?? 0), 0),
    oldestMs: Math.max(
      0,
      ...stats.map((stat) => Number(stat?.approximateBacklogAge?.seconds ?? 0) * 1000),
    ),
  };
}
