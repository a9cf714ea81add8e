/** Waits for a later workflow task. This is for work that must not share a task with other work. */
import { condition, workflowInfo } from '@temporalio/workflow';

/**
 * Resolves in a workflow task whose history length differs from `event`: at once, in the next task, or in a task that a
 * timer starts after about a second. The value of `event` may change during the wait.
 */
export async function untilOtherTask(event: () => number | null): Promise<void> {
  while (isSameTask(event())) await condition(() => !isSameTask(event()), 1);
}

function isSameTask(event: number | null): boolean {
  return event === workflowInfo().historyLength;
}
