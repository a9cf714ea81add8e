/**
 * Evaluates JSON paths and patterns in worker threads, so that a hostile one costs its own check
 * only: a query that takes longer than 100 ms ends with its worker, and a new worker takes over.
 */
import { createQuerySeat, type QuerySeat } from './query-seat';
import type { Job, QueryAnswer } from './query-worker';

const WORKERS_MAX = 2;
const WATCH_EVERY_MS = 25;
const CLOSED = { problem: 'closed: the probe is stopping' };

export interface QueryPool {
  /** One answer per query, in order; a query that could not finish answers with its problem. */
  readonly run: (job: Job) => Promise<readonly QueryAnswer[]>;
  /** Ends the workers; jobs that are under way answer with a problem. */
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly job: Job;
  readonly resolve: (answers: readonly QueryAnswer[]) => void;
}

/** A pool whose first worker starts at once; it never keeps the process alive by itself. */
export function createQueryPool(): QueryPool {
  const queue: Waiting[] = [];
  const seats = new Set<QuerySeat>();
  let watch: NodeJS.Timeout | undefined;
  let isClosed = false;

  function hire(): QuerySeat {
    const seat: QuerySeat = createQuerySeat({
      onIdle: () => next(),
      onGone: () => {
        seats.delete(seat);
        next();
      },
    });
    seats.add(seat);
    return seat;
  }

  function endOverruns(): void {
    for (const seat of seats) if (seat.hasOverrun()) void seat.end();
  }

  function watchWhileBusy(): void {
    const isBusy = [...seats].some((seat) => seat.isBusy());
    if (isBusy) watch ??= setInterval(endOverruns, WATCH_EVERY_MS);
    else clearInterval(watch);
    if (!isBusy) watch = undefined;
  }

  function next(): void {
    while (!isClosed && queue.length > 0) {
      const idle = [...seats].find((seat) => !seat.isBusy());
      const seat = idle ?? (seats.size < WORKERS_MAX ? hire() : undefined);
      const waiting = seat === undefined ? undefined : queue.shift();
      if (seat === undefined || waiting === undefined) break;
      seat.take(waiting.job, waiting.resolve);
    }
    watchWhileBusy();
  }

  async function close(): Promise<void> {
    isClosed = true;
    clearInterval(watch);
    for (const { job, resolve } of queue.splice(0)) resolve(job.queries.map(() => CLOSED));
    await Promise.all([...seats].map((seat) => seat.end()));
  }

  hire();
  return {
    run: async (job) => {
      if (isClosed || job.queries.length === 0) return job.queries.map(() => CLOSED);
      return await new Promise((resolve) => {
        queue.push({ job, resolve });
        next();
      });
    },
    close,
  };
}
