/**
 * Runs one worker thread of the text pool with one job at a time. Measures how long the current task has been
 * computing. If the worker ends early, returns the results so far.
 */
import { Worker } from 'node:worker_threads';
import type { TextJob, TextResult, TextTask } from './text-task';

/**
 * The time limits of tasks. The limit of 100 ms for paths and patterns is documented. Masking of long texts may take
 * longer.
 */
const TASK_MS_MAX: Readonly<Record<TextTask['kind'], number>> = {
  survey: 1_000,
  path: 100,
  pattern: 100,
  assertion: 100,
  search: 1_000,
  redaction: 1_000,
  template: 500,
  markdown: 500,
};
/** A pattern reads the whole text, so its time limit applies once for each piece of this length. */
const TEXT_PIECE_LENGTH = 256 * 1_024;
/** On a busy machine, a task waits for CPU time. A wait of up to this long does not count as the task's own time. */
const WAITED_MS_MAX = 1_400;
const STARTING_MS_MAX = 15_000;
const MEMORY_MB_MAX = 128;

/** Called with the results of the tasks, in order. If the worker ended early, the last results are missing. */
type Report = (results: readonly TextResult[]) => void;

export interface TextThread {
  readonly take: (job: TextJob, report: Report) => void;
  readonly isBusy: () => boolean;
  /** Subtracts `ms` from the measured time of the current task. */
  readonly discount: (ms: number) => void;
  /** Returns true if the current task has computed for longer than allowed. */
  readonly hasOverrun: () => boolean;
  /** Ends the worker. An unfinished job is reported immediately. */
  readonly end: () => Promise<number>;
}

interface SlotEvents {
  readonly onIdle: () => void;
  /** Called when the worker has ended. The thread must no longer be used. */
  readonly onGone: () => void;
}

function computeTime(task: TextTask, text: string): number {
  const ms = TASK_MS_MAX[task.kind];
  return isOfJson(task) ? ms : ms * Math.max(1, Math.ceil(text.length / TEXT_PIECE_LENGTH));
}

function isOfJson(task: TextTask): boolean {
  if (task.kind !== 'assertion') return task.kind === 'path';
  return task.assertion.type === 'jsonPath' || task.assertion.type === 'jsonSchema';
}

/** Returns the result of a task that was not finished in time or used too much memory. */
export function createTooSlowResult(task: TextTask, text: string): TextResult {
  const isPath = task.kind === 'assertion' && task.assertion.type === 'jsonPath';
  const code = isPath ? 'path' : task.kind;
  return { problem: `${code}_too_slow: it took longer than ${computeTime(task, text)} ms` };
}

/** Measures elapsed time, and the CPU time of other threads. */
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
    discount: (ms: number) => {
      startedAt = Math.min(startedAt + ms, performance.now());
    },
    wallMs: () => performance.now() - startedAt,
    otherThreadsMs: () => {
      const { user, system } = process.cpuUsage(cpu);
      return (user + system) / 1_000 - performance.eventLoopUtilization(loop).active;
    },
  };
}

function startWorker(): Worker {
  const worker = new Worker(require.resolve('./text-worker'), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
  });
  worker.unref();
  return worker;
}

/** Starts a worker immediately. The worker does not keep the process alive. */
export function createTextThread({ onIdle, onGone }: SlotEvents): TextThread {
  const worker = startWorker();
  const meter = createMeter();
  let current: { job: TextJob; report: Report; results: TextResult[] } | undefined;
  let isOnline = false;

  function report(): void {
    const done = current;
    current = undefined;
    done?.report(done.results);
  }

  function leave(): void {
    report();
    onGone();
  }

  worker.on('message', (result: TextResult | null) => {
    isOnline = true;
    meter.restart();
    if (result === null || current === undefined) return;
    current.results.push(result);
    if (current.results.length < current.job.tasks.length) return;
    report();
    onIdle();
  });
  worker.once('error', leave);
  worker.once('exit', leave);

  return {
    take: (job, reportJob) => {
      current = { job, report: reportJob, results: [] };
      meter.restart();
      worker.postMessage(job);
    },
    isBusy: () => current !== undefined,
    discount: meter.discount,
    hasOverrun: () => {
      if (current === undefined) return false;
      const wallMs = meter.wallMs();
      if (!isOnline) return wallMs > STARTING_MS_MAX;
      const { tasks, text } = current.job;
      const task = tasks[current.results.length];
      const msMax = task === undefined ? TASK_MS_MAX.path : computeTime(task, text);
      const isOver = wallMs > msMax && meter.otherThreadsMs() > msMax * 0.8;
      return isOver || wallMs > msMax + WAITED_MS_MAX;
    },
    end: () => {
      leave();
      return worker.terminate();
    },
  };
}
