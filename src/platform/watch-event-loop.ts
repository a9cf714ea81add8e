/**
 * Ends a process whose event loop is blocked, so that its supervisor can restart it. A second thread watches the event
 * loop. The last log line names the work that was running.
 */
import { Worker } from 'node:worker_threads';

const STILL_MS_MAX = 30_000;
const TICK_MS = 1_000;
/**
 * A tick that takes this many times its normal length is ignored, because the whole machine was asleep or overloaded.
 */
const TICK_FACTOR_MAX = 3;

/** Positions in the array of numbers that both threads share. */
const BEATS = 0;
const STOP = 1;

/** The size of the buffer with the names of the running work, which both threads share. */
const NAMES_BYTES_MAX = 1_024;
const namesLength = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const namesBytes = new Uint8Array(new SharedArrayBuffer(NAMES_BYTES_MAX));
const NAMES_MAX = 10;
const underWay = new Set<{ readonly name: string }>();

function showNames(): void {
  const names = [...underWay].slice(-NAMES_MAX).reverse();
  const text = names.map(({ name }) => name).join(', ');
  const { written } = new TextEncoder().encodeInto(text, namesBytes);
  Atomics.store(namesLength, 0, written);
}

/**
 * Notes that work begins. The caller calls the returned function when the work ends. `name` is a route or an activity,
 * without user input.
 */
export function beginWork(name: string): () => void {
  const work = { name };
  underWay.add(work);
  showNames();
  return () => {
    underWay.delete(work);
    showNames();
  };
}

export interface EventLoopWatch {
  readonly stop: () => Promise<void>;
}

/** The source text of the second thread. It can use nothing from this file except `workerData`. */
const CODE = `
const { writeSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { shared, names, namesLength, line, tickMs, tickFactorMax, stillMsMax } = workerData;
const numbers = new Int32Array(shared);
let beats = -1;
let stillMs = 0;
let lastAt = performance.now();
while (Atomics.load(numbers, ${STOP}) === 0) {
  Atomics.wait(numbers, ${STOP}, 0, tickMs);
  const passedMs = performance.now() - lastAt;
  lastAt += passedMs;
  const now = Atomics.load(numbers, ${BEATS});
  const isBeating = now !== beats || passedMs > tickMs * tickFactorMax;
  stillMs = isBeating ? 0 : stillMs + passedMs;
  beats = now;
  if (stillMs < stillMsMax) continue;
  const text = Buffer.from(names.slice(0, Atomics.load(namesLength, 0))).toString();
  try {
    writeSync(2, JSON.stringify({ ...line, time: Date.now(), running: text }) + '\\n');
  } finally {
    // The process is killed even if the log line cannot be written.
    process.kill(process.pid, 'SIGKILL');
  }
}`;

/** Builds the last log line. The second thread adds `time` to it before it ends the process. */
function lastLine(role: string, stillMs: number): object {
  const msg = `the event loop was blocked for ${stillMs / 1_000} s: the process ends`;
  return { level: 60, time: 0, event: 'event_loop_still', role, pid: process.pid, msg };
}

/** Watches the event loop of this process until `stop` is called. */
export function watchEventLoop(role: string, stillMsMax = STILL_MS_MAX): EventLoopWatch {
  const numbers = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const tickMs = Math.min(TICK_MS, stillMsMax / 10);
  const worker = new Worker(CODE, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: {
      shared: numbers.buffer,
      names: namesBytes,
      namesLength,
      line: lastLine(role, stillMsMax),
      tickMs,
      tickFactorMax: TICK_FACTOR_MAX,
      stillMsMax,
    },
  });
  worker.unref();
  const beat = setInterval(() => Atomics.add(numbers, BEATS, 1), tickMs);
  beat.unref();
  return {
    stop: async () => {
      clearInterval(beat);
      Atomics.store(numbers, STOP, 1);
      Atomics.notify(numbers, STOP);
      await worker.terminate();
    },
  };
}
