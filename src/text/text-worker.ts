/** Runs in the worker thread of the text pool. Does jobs one by one and reports after every task. */
import { parentPort } from 'node:worker_threads';
import type { TextJob, TextResult, TextTask } from './text-task';
import { createWorkbench } from './text-work';

function attempt(task: TextTask, carryOut: (task: TextTask) => TextResult): TextResult {
  try {
    return carryOut(task);
  } catch {
    return { problem: `${task.kind}_invalid: it could not be carried out` };
  }
}

parentPort?.on('message', (job: TextJob) => {
  const { carryOut } = createWorkbench(job);
  // Starts the time measurement of the first task.
  parentPort?.postMessage(null);
  for (const task of job.tasks) parentPort?.postMessage(attempt(task, carryOut));
});
