/**
 * Waits for runs to end, for long-poll requests. One loop reads the database for all clients. The database is read
 * instead of the workflows, because no worker may be available to answer queries.
 */

import type { RunStore } from '../../models/results/runs';
import type { Clock } from '../../platform/clock';

const LOOK_EVERY_MS = 250;
const IDS_PER_LOOK = 500;

export interface RunWatch {
  /** Resolves when the run has ended or `untilMs` is reached. Rejects if the database is unavailable. */
  readonly untilEnded: (accountId: string, runId: string, untilMs: number) => Promise<void>;
}

export interface RunWatchNeeds {
  readonly runs: Pick<RunStore, 'findEnded'>;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
}

interface Waiter {
  readonly accountId: string;
  readonly runId: string;
  readonly untilMs: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createRunWatch({ runs, clock, sleep }: RunWatchNeeds): RunWatch {
  const waiters = new Set<Waiter>();
  let isLooking = false;

  async function keepLooking(): Promise<void> {
    isLooking = true;
    while (waiters.size > 0) {
      await sleep(LOOK_EVERY_MS);
      const accounts = new Set([...waiters].map(({ accountId }) => accountId));
      await Promise.all([...accounts].map(look));
    }
    isLooking = false;
  }

  async function look(accountId: string): Promise<void> {
    const asking = [...waiters].filter((waiter) => waiter.accountId === accountId);
    try {
      const ended = await findEnded(accountId, [...new Set(asking.map(({ runId }) => runId))]);
      const nowMs = clock.now();
      for (const waiter of asking)
        if (ended.has(waiter.runId) || waiter.untilMs <= nowMs) finish(waiter, waiter.resolve);
    } catch (reason) {
      for (const waiter of asking) finish(waiter, () => waiter.reject(reason));
    }
  }

  function finish(waiter: Waiter, end: () => void): void {
    waiters.delete(waiter);
    end();
  }

  async function findEnded(
    accountId: string,
    runIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const ended = new Set<string>();
    for (let from = 0; from < runIds.length; from += IDS_PER_LOOK)
      for (const id of await runs.findEnded(accountId, runIds.slice(from, from + IDS_PER_LOOK)))
        ended.add(id);
    return ended;
  }

  return {
    untilEnded: (accountId, runId, untilMs) =>
      new Promise((resolve, reject) => {
        waiters.add({ accountId, runId, untilMs, resolve, reject });
        if (!isLooking) void keepLooking();
      }),
  };
}
