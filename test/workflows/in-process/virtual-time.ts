/**
 * The clock of a Temporal server in the test's own process. It stops while anything is in progress, and jumps to the
 * next due event only when a test moves it. `Date` and the timers of the test's process follow this clock.
 */
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { asyncLocalStorage } from '@temporalio/activity';

/**
 * The instant at which the clock starts. It is arbitrary, but the same in every run, so that everything can be repeated
 * exactly.
 */
const BEGIN_MS = Date.UTC(2027, 0, 4, 9);
/** Number of idle turns of the event loop after which nothing is in progress. */
const IDLE_TURNS = 4;
/** The longest time of a Node timer in milliseconds. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export type Cancel = () => void;
type Act = () => Promise<void> | void;

export interface VirtualTime {
  readonly nowMs: () => number;
  /** Calls `act` once, after this much time has passed. */
  readonly after: (ms: number, act: () => void) => Cancel;
  /** Calls `act` now, after everything else that is due now. */
  readonly soon: (act: Act) => void;
  /** Resolves when nothing can happen before time passes. */
  readonly settle: () => Promise<void>;
  readonly pass: (ms: number) => Promise<void>;
  /** Jumps to the next due event if `isAllowed` returns true. Resolves to false if it did not jump. */
  readonly step: (isAllowed?: () => boolean) => Promise<boolean>;
  readonly stop: () => void;
}

/** Starts the clock for the whole test file, until it is stopped. */
export function startVirtualTime(): VirtualTime {
  jest.useFakeTimers({
    now: BEGIN_MS,
    doNotFake: [
      'setImmediate',
      'clearImmediate',
      'nextTick',
      'queueMicrotask',
      'performance',
      'hrtime',
    ],
  });
  const elapsed = jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
  const { soon, settle } = createTurns();
  let moving: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const exclusively = <Result>(move: () => Promise<Result>): Promise<Result> => {
    if (asyncLocalStorage.getStore() !== undefined)
      throw new Error('An activity lets no time pass: it sleeps.');
    const moved = moving.then(move);
    moving = moved.catch(() => undefined);
    return moved;
  };
  return {
    nowMs: () => Date.now(),
    after,
    soon,
    settle,
    pass: (ms) =>
      exclusively(async () => {
        let isOver = false;
        after(ms, () => {
          isOver = true;
        });
        for (await settle(); !isOver; await settle()) {
          if (isStopped) throw new Error('The test is over.');
          jest.advanceTimersToNextTimer();
        }
        jest.advanceTimersByTime(0);
        await settle();
      }),
    step: (isAllowed = () => true) =>
      exclusively(async () => {
        await settle();
        if (isStopped || jest.getTimerCount() === 0 || !isAllowed()) return false;
        jest.advanceTimersToNextTimer();
        await settle();
        return true;
      }),
    stop: () => {
      isStopped = true;
      elapsed.mockRestore();
      jest.useRealTimers();
    },
  };
}

function after(ms: number, act: () => void): Cancel {
  let timer: NodeJS.Timeout;
  const start = (leftMs: number): void => {
    const nextMs = Math.min(leftMs, TIMER_MAX_MS);
    timer = setTimeout(() => (leftMs > nextMs ? start(leftMs - nextMs) : act()), nextMs);
  };
  start(Math.max(0, ms));
  return () => clearTimeout(timer);
}

/** Creates the queue of everything that happens in one instant. Its entries run one after the other. */
function createTurns(): Pick<VirtualTime, 'soon' | 'settle'> {
  const waiting: Act[] = [];
  let pump: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    await turn();
    for (let act = waiting.shift(); act !== undefined; act = waiting.shift()) await act();
    pump = null;
  };
  return {
    soon: (act) => {
      waiting.push(act);
      pump ??= work();
    },
    settle: async () => {
      for (let idle = 0; idle < IDLE_TURNS; idle += 1) {
        while (pump !== null) {
          idle = 0;
          await pump;
        }
        await turn();
      }
    },
  };
}
