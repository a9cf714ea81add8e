/**
 * Keeps the workflow of the watchdog running with the settings of this process, even after Temporal has lost its data.
 * Ends it if no watchdog is set.
 */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import {
  WATCHDOG_PLAN_SIGNAL,
  WATCHDOG_WORKFLOW_ID,
  type WatchdogPlan,
  type WatchdogState,
} from '../contracts/operations/watchdog';
import { ORCHESTRATOR_QUEUE, WORKFLOW_TYPES } from '../contracts/workflows';
import type { Logger } from '../platform/logger';
import { callTemporal } from './temporal-call';

const LOOK_EVERY_MS = 20_000;
const DEADLINE_MS = 5_000;

type Watchdog = (state: WatchdogState) => Promise<void>;

/**
 * Sends the plan to the workflow once. Then ensures regularly that the workflow runs, until the returned function is
 * called. If the plan is null, ends the workflow instead.
 */
export function ensureWatchdog(
  client: Client,
  plan: WatchdogPlan | null,
  logger: Pick<Logger, 'warn'>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isPlanned = false;

  async function look(): Promise<void> {
    try {
      await callTemporal(client, DEADLINE_MS, () => ensure(client, plan, isPlanned));
      isPlanned = true;
    } catch (error) {
      logger.warn({ err: error }, 'could not check that the watchdog runs');
    }
    if (isStopped || (plan === null && isPlanned)) return;
    timer = setTimeout(() => void look(), LOOK_EVERY_MS);
  }

  void look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

async function ensure(
  client: Client,
  plan: WatchdogPlan | null,
  isPlanned: boolean,
): Promise<void> {
  if (plan === null) return endWatchdog(client);
  const start = {
    workflowId: WATCHDOG_WORKFLOW_ID,
    taskQueue: ORCHESTRATOR_QUEUE,
    args: [{ v: 1, plan, lastSlotMs: null, reported: null } satisfies WatchdogState] as [
      WatchdogState,
    ],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: 'reports to an external URL that checks run',
  } as const;
  if (isPlanned) await client.workflow.start<Watchdog>(WORKFLOW_TYPES.watchdog, start);
  else
    await client.workflow.signalWithStart<Watchdog, [WatchdogPlan]>(WORKFLOW_TYPES.watchdog, {
      ...start,
      signal: WATCHDOG_PLAN_SIGNAL,
      signalArgs: [plan],
    });
}

async function endWatchdog(client: Client): Promise<void> {
  try {
    await client.workflow.getHandle(WATCHDOG_WORKFLOW_ID).signal(WATCHDOG_PLAN_SIGNAL, null);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
