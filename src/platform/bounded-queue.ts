/** Limits the number of expensive jobs that run at once. Refuses jobs that would have to wait long. */
import { AppError } from './errors';

interface QueueBounds {
  readonly atOnce: number;
  /** Maximum number of waiting jobs, in addition to the running ones. */
  readonly waitingMax: number;
}

const RETRY_AFTER_SECONDS = 2;

/** Runs work in the order of arrival. Throws `rate_limited` if too many jobs are already waiting. */
export type BoundedQueue = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createBoundedQueue({ atOnce, waitingMax }: QueueBounds): BoundedQueue {
  const waiting: (() => void)[] = [];
  let atWork = 0;

  async function takePlace(): Promise<void> {
    if (atWork < atOnce) {
      atWork += 1;
      return;
    }
    if (waiting.length >= waitingMax) {
      const message = 'Too many requests at once. Try again in a moment.';
      throw new AppError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    // A job that ends gives its slot to the next job in the queue.
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) atWork -= 1;
    else next();
  }

  return async (work) => {
    await takePlace();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
