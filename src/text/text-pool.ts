/**
 * Runs all work on untrusted text in worker threads, so that a hostile text affects only its own check, ping or alert.
 * If a task takes too long, its worker is ended.
 */

import { BUSY, type RunTextJob, type TextJob, type TextResult } from './text-task';
import { createTextThread, createTooSlowResult, type TextThread } from './text-thread';

const WORKERS_MAX = 2;
const WATCH_EVERY_MS = 25;
/** After this many slow tasks, the remaining tasks of the job also count as slow. */
const OVERRUNS_MAX = 10;
const CLOSED: TextResult = { problem: 'closed: the process is stopping' };

export interface TextPool {
  readonly run: RunTextJob;
  /** Ends the workers. Unfinished jobs return problems. */
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly job: TextJob;
  readonly results: TextResult[];
  readonly overruns: number;
  readonly resolve: (results: readonly TextResult[]) => void;
}

function finish({ job, results, resolve }: Waiting, rest: (index: number) => TextResult): void {
  resolve(job.tasks.map((_, index) => results[index] ?? rest(index)));
}

/**
 * Adds the results of a worker to a job. If results are missing, the first task without a result counts as too slow.
 * Returns the job if it still has tasks to run. Otherwise, resolves the job and returns undefined.
 */
function takeIn(
  waiting: Waiting,
  done: readonly TextResult[],
  isClosed: boolean,
): Waiting | undefined {
  const { job, results } = waiting;
  results.push(...done);
  const lost = job.tasks[results.length];
  if (lost === undefined || isClosed) {
    finish(waiting, () => CLOSED);
    return undefined;
  }
  const overruns = waiting.overruns + 1;
  results.push(createTooSlowResult(lost, job.text));
  if (overruns < OVERRUNS_MAX && results.length < job.tasks.length) return { ...waiting, overruns };
  finish(waiting, (index) => createTooSlowResult(job.tasks[index] ?? lost, job.text));
  return undefined;
}

/**
 * Ends workers whose task takes too long. Runs only while there is work. If the timer fires late, the process was
 * suspended or the machine stalled. That delay is not counted, because tasks did not compute in the meantime.
 */
function createWatch(slots: ReadonlySet<TextThread>) {
  let timer: NodeJS.Timeout | undefined;
  let lookedAtMs = 0;
  const look = (): void => {
    const nowMs = performance.now();
    const lateMs = Math.max(0, nowMs - lookedAtMs - WATCH_EVERY_MS);
    lookedAtMs = nowMs;
    for (const slot of slots) {
      slot.discount(lateMs);
      if (slot.hasOverrun()) void slot.end();
    }
  };
  const start = (): NodeJS.Timeout => {
    lookedAtMs = performance.now();
    return setInterval(look, WATCH_EVERY_MS);
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    adjust: () => {
      if ([...slots].some((slot) => slot.isBusy())) timer ??= start();
      else stop();
    },
    stop,
  };
}

interface PoolOptions {
  /** Maximum number of waiting jobs. Further jobs return problems immediately. By default, there is no limit. */
  readonly waitingMax?: number;
  /** Maximum number of waiting jobs per owner. The default is `waitingMax`. */
  readonly waitingOfOwnerMax?: number;
}

function ownedBy(queue: readonly Waiting[], owner: string): number {
  return queue.filter(({ job }) => job.owner === owner).length;
}

function isFull(
  queue: readonly Waiting[],
  { owner }: TextJob,
  { waitingMax = Number.POSITIVE_INFINITY, waitingOfOwnerMax = waitingMax }: PoolOptions,
): boolean {
  if (queue.length >= waitingMax) return true;
  return owner !== undefined && ownedBy(queue, owner) >= waitingOfOwnerMax;
}

/** Creates a pool that starts its workers with the first job. It does not keep the process alive. */
export function createTextPool(options: PoolOptions = {}): TextPool {
  const queue: Waiting[] = [];
  const slots = new Set<TextThread>();
  const watch = createWatch(slots);
  let isClosed = false;

  function addSlot(): TextThread {
    const slot: TextThread = createTextThread({
      onIdle: () => next(),
      onGone: () => {
        slots.delete(slot);
        next();
      },
    });
    slots.add(slot);
    return slot;
  }

  function next(): void {
    while (!isClosed && queue.length > 0) {
      const idle = [...slots].find((slot) => !slot.isBusy());
      const slot = idle ?? (slots.size < WORKERS_MAX ? addSlot() : undefined);
      const waiting = slot === undefined ? undefined : queue.shift();
      if (slot === undefined || waiting === undefined) break;
      const tasks = waiting.job.tasks.slice(waiting.results.length);
      slot.take({ ...waiting.job, tasks }, (done) => {
        // The rest of the job is added at the end of the queue.
        const rest = takeIn(waiting, done, isClosed);
        if (rest !== undefined) queue.push(rest);
      });
    }
    watch.adjust();
  }

  async function close(): Promise<void> {
    isClosed = true;
    watch.stop();
    for (const waiting of queue.splice(0)) finish(waiting, () => CLOSED);
    await Promise.all([...slots].map((slot) => slot.end()));
  }

  return {
    run: async (job) => {
      if (isClosed || job.tasks.length === 0) return job.tasks.map(() => CLOSED);
      if (isFull(queue, job, options)) return job.tasks.map(() => BUSY);
      return await new Promise((resolve) => {
        queue.push({ job, results: [], overruns: 0, resolve });
        next();
      });
    },
    close,
  };
}
