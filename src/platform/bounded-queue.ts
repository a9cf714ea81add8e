/** Runs expensive work a few at a time, and refuses what would have to wait long. It knows no work itself. */
import { AppError } from './errors';

interface QueueBounds {
  readonly atOnce: number;
  /** Beyond those at work. */
  readonly waitingMax: number;
}

const RETRY_AFTER_SECONDS = 2;

/** Runs work in the order of asking; throws `rate_limited` when too much waits already. */
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
      const message = 'Too many at once; try again in a moment.';
      throw new AppError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    // Whoever leaves hands its place on, so that nobody can come in between.
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
