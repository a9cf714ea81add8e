/**
 * Decides when a workflow continues as new. Rebuilding a workflow from its history takes about 0.3 ms per event, so
 * histories are kept short.
 */
import {
  allHandlersFinished,
  CancellationScope,
  makeContinueAsNewFunc,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow';
import { hashText } from '../../domain/definitions/hash-text';

const EVENTS_MAX = 250;
/** Length limit in events. For workflows that usually end before they are this long, such as runs. */
const LONG_HISTORY_EVENTS = 2_000;

/** The length limit differs by up to this many events, so that not all workflows continue as new at once. */
const JITTER = 50;

/**
 * Returns true if no handler is running, and the history is long enough or the workflow must move to another build.
 * Ignores Temporal's own hint about builds, because after a crash, server 1.31 gave this hint with every other task.
 */
export function isTimeToContinue(id: string, mustMoveOn = false): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  const isLong = historyLength >= EVENTS_MAX + (hashText(id) % JITTER);
  return (mustMoveOn || continueAsNewSuggested || isLong) && allHandlersFinished();
}

/**
 * Continues as new on the current build of the workflows. In a cancelled scope, throws the cancellation instead,
 * because the next execution would not know of it.
 */
export async function startOver<Life extends Workflow>(...args: Parameters<Life>): Promise<never> {
  const { consideredCancelled, cancelRequested } = CancellationScope.current();
  if (consideredCancelled) await cancelRequested;
  return makeContinueAsNewFunc<Life>({ initialVersioningBehavior: 'AUTO_UPGRADE' })(...args);
}

/** Maximum size of a history. Beyond this size a replay is slow. The server ends a workflow at 50 MiB. */
const HISTORY_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Returns true if no handler is running and the history is large. For workflows that can rarely continue as new, so the
 * limits are higher than in `isTimeToContinue`.
 */
export function isHistoryLarge(): boolean {
  const { historySize, historyLength, continueAsNewSuggested } = workflowInfo();
  const isLarge = historySize >= HISTORY_BYTES_MAX || historyLength >= LONG_HISTORY_EVENTS;
  return (continueAsNewSuggested || isLarge) && allHandlersFinished();
}
