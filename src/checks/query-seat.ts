/**
 * One query worker and the job that it is at. It measures how long the query under way has been
 * computing, and answers for the worker when that is ended in the middle of a job.
 */
import { Worker } from 'node:worker_threads';
import { type Job, type QueryAnswer, queryWorkerCode } from './query-worker';

const QUERY_MS_MAX = 100;
/** On a busy machine a query waits for its turn: that time is not held against it up to this. */
const WAITED_MS_MAX = 1_500;
const STARTING_MS_MAX = 15_000;
const MEMORY_MB_MAX = 128;

type Settle = (answers: readonly QueryAnswer[]) => void;

export interface QuerySeat {
  readonly take: (job: Job, settle: Settle) => void;
  readonly isBusy: () => boolean;
  /** The query under way has computed for longer than it may. */
  readonly hasOverrun: () => boolean;
  /** Ends the worker; a job under way is answered at once. */
  readonly end: () => Promise<number>;
}

interface SeatEvents {
  readonly onIdle: () => void;
  /** The worker has ended; the seat must not be used any more. */
  readonly onGone: () => void;
}

function tooSlow(job: Job, index: number): QueryAnswer {
  const kind = job.queries[index]?.kind ?? 'path';
  return { problem: `${kind}_too_slow: it took longer than ${QUERY_MS_MAX} ms` };
}

/** Time that passed, and how much of it threads other than this one have computed. */
function createMeter() {
  let startedAt = performance.now();
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  return {
    restart: () => {
      startedAt = performance.now();
      cpu = process.cpuUsage();
      loop = performance.eventLoopUtilization();
    },
    wallMs: () => performance.now() - startedAt,
    otherThreadsMs: () => {
      const { user, system } = process.cpuUsage(cpu);
      return (user + system) / 1_000 - performance.eventLoopUtilization(loop).active;
    },
  };
}

function startWorker(): Worker {
  const worker = new Worker(queryWorkerCode(), {
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
  });
  worker.unref();
  return worker;
}

/** A worker that starts at once and does not keep the process alive. */
export function createQuerySeat({ onIdle, onGone }: SeatEvents): QuerySeat {
  const worker = startWorker();
  const meter = createMeter();
  let current: { job: Job; settle: Settle; answers: QueryAnswer[] } | undefined;
  let isOnline = false;

  function settle(): void {
    const done = current;
    current = undefined;
    done?.settle(
      done.job.queries.map((_, index) => done.answers[index] ?? tooSlow(done.job, index)),
    );
  }

  function leave(): void {
    settle();
    onGone();
  }

  worker.on('message', (answer: QueryAnswer | null) => {
    isOnline = true;
    meter.restart();
    if (answer === null || current === undefined) return;
    current.answers.push(answer);
    if (current.answers.length < current.job.queries.length) return;
    settle();
    onIdle();
  });
  worker.once('error', leave);
  worker.once('exit', leave);

  return {
    take: (job, settleJob) => {
      current = { job, settle: settleJob, answers: [] };
      meter.restart();
      worker.postMessage(job);
    },
    isBusy: () => current !== undefined,
    hasOverrun: () => {
      if (current === undefined) return false;
      const wallMs = meter.wallMs();
      if (!isOnline) return wallMs > STARTING_MS_MAX;
      const isOver = wallMs > QUERY_MS_MAX && meter.otherThreadsMs() > QUERY_MS_MAX * 0.8;
      return isOver || wallMs > WAITED_MS_MAX;
    },
    end: () => {
      leave();
      return worker.terminate();
    },
  };
}
