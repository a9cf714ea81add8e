/**
 * An interceptor that queues activities if one workflow requests several at the same time.
 *
 * It carries out local activities one at a time. A replay resolves them in the order of their start instead of their
 * end. Without the queue, later commands could be in another order than in the history.
 *
 * It schedules at most one save of a run per workflow task. The server terminates a workflow if the input of one task
 * is larger than 4 MiB, and the record of a run may be larger than 256 KiB.
 */
import { type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';
import type { RecordActivities } from '../contracts/activities';
import { awaitOtherTask } from './loop/next-task';

const SAVE: keyof RecordActivities = 'saveRun';

export function interceptors(): WorkflowInterceptors {
  const takeLocalTurn = createTurns();
  const takeSaveTurn = createTurns();
  let savedAtEvent: number | null = null;

  /** Resolves in a workflow task in which no save has been scheduled yet. */
  async function awaitTaskForSave(): Promise<void> {
    await awaitOtherTask(() => savedAtEvent);
    savedAtEvent = workflowInfo().historyLength;
  }

  return {
    inbound: [],
    outbound: [
      {
        scheduleLocalActivity: (input, next) => takeLocalTurn(() => next(input)),
        scheduleActivity: async (input, next) => {
          if (input.activityType === SAVE) await takeSaveTurn(awaitTaskForSave);
          return next(input);
        },
      },
    ],
    internals: [],
  };
}

/** Carries out work in order, one at a time. */
function createTurns() {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  return async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
    isBusy = true;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) isBusy = false;
      else next();
    }
  };
}
