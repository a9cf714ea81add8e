/**
 * Lets an activity end together with its worker. Work that cannot be stopped is abandoned, and ends with the process.
 */
import { CancelledFailure, Context } from '@temporalio/activity';

/** The SDK's name for the cancellation when a worker shuts down and its grace time is over. */
const WORKER_SHUTDOWN = 'WORKER_SHUTDOWN';

/**
 * Wraps the activity. If its worker shuts down and the grace time is over, the wrapped activity ends with the result of
 * `onShutdown`. If its workflow cancels the activity, the wrapped activity ends as cancelled.
 */
export function endWithWorker<Given extends unknown[], Result>(
  activity: (...given: Given) => Promise<Result>,
  onShutdown: () => Result,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    const { cancelled } = Context.current();
    const ended = cancelled.catch((error: unknown) => {
      if (error instanceof CancelledFailure && error.message === WORKER_SHUTDOWN)
        return onShutdown();
      throw error;
    });
    return Promise.race([activity(...given), ended]);
  };
}
