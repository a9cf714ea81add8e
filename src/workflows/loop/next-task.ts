/** Waits for a later workflow task, for work that must not happen in the same task as other work. */
import { condition, workflowInfo } from '@temporalio/workflow';

/**
 * Resolves at the first moment at which the length of the history differs from `event`, that is, in another workflow
 * task. If no other task follows by itself, a timer starts one after about a second. The value of `event` may change
 * during the wait.
 */
export async function awaitOtherTask(event: () => number | null): Promise<void> {
  while (isSameTask(event())) await condition(() => !isSameTask(event()), 1);
}

function isSameTask(event: number | null): boolean {
  return event === workflowInfo().historyLength;
}
