/**
 * Runs a worker until it is shut down: says when it polls, waits for the namespace, and lets tasks
 * in progress end.
 */
import type { Worker } from '@temporalio/worker';
import type { Logger } from '../platform/logger';

export interface RunningWorker {
  /** Stops polling and resolves when the tasks in progress have ended. */
  readonly stop: () => Promise<void>;
  /** Resolves when the worker has ended; rejects when it failed. */
  readonly ended: Promise<void>;
}

/** Logs `ready` once the worker polls. */
export function runWorker(worker: Worker, logger: Logger): RunningWorker {
  const ended = worker.run();
  logger.info('ready');
  const stop = async (): Promise<void> => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await ended;
  };
  return { stop, ended };
}
