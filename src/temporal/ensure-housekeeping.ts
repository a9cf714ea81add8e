/** Keeps the housekeeping workflow running, even after Temporal has lost its data. */
import type { Client } from '@temporalio/client';
import {
  HOUSEKEEPING_WORKFLOW_ID,
  type HousekeepingState,
  PASS_NOW_SIGNAL,
} from '../contracts/housekeeping';
import { ORCHESTRATOR_QUEUE, WORKFLOW_TYPES } from '../contracts/workflows';
import type { Logger } from '../platform/logger';
import { callTemporal } from './temporal-call';

const LOOK_EVERY_MS = 20_000;
const DEADLINE_MS = 5_000;

const START = {
  workflowId: HOUSEKEEPING_WORKFLOW_ID,
  taskQueue: ORCHESTRATOR_QUEUE,
  args: [{ v: 1, doneSinceMs: {} } satisfies HousekeepingState] as [HousekeepingState],
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
  staticSummary: 'repairs, retention and clean-up',
} as const;

type Housekeeping = (state: HousekeepingState) => Promise<void>;

/**
 * Requests a pass at once, because this start may follow a crash. Then ensures regularly that the workflow runs, until
 * the returned function is called.
 */
export function ensureHousekeeping(client: Client, logger: Logger): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isAsked = false;

  async function look(): Promise<void> {
    try {
      await callTemporal(client, DEADLINE_MS, () => (isAsked ? start(client) : startPass(client)));
      isAsked = true;
    } catch (error) {
      logger.warn({ err: error }, 'could not check that the housekeeping runs');
    }
    if (!isStopped) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
  }

  void look();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

async function start(client: Client): Promise<void> {
  await client.workflow.start<Housekeeping>(WORKFLOW_TYPES.housekeeping, START);
}

async function startPass(client: Client): Promise<void> {
  await client.workflow.signalWithStart<Housekeeping>(WORKFLOW_TYPES.housekeeping, {
    ...START,
    signal: PASS_NOW_SIGNAL,
  });
}
