/**
 * Limits how much expensive work a caller and an account can run at once in this process. A turn ends when both the
 * work and its response have ended.
 */
import { AppError } from '../../platform/errors';
import type { Principal } from '../../services/accounts/principal';

/** Types of work that occupy memory, a connection or a worker for a long time. */
export type Load = keyof typeof BOUNDS;

const BOUNDS = {
  /** Files of results, and exports of whole accounts. */
  export: { perCaller: 2, perAccount: 6, retryAfterSeconds: 10, words: 'exports' },
  /** Server-sent events. The change feed also limits the streams of an account. */
  stream: { perCaller: 20, perAccount: 50, retryAfterSeconds: 10, words: 'streams of events' },
  /** Tests of unsaved definitions. A probe may need a minute for one test. */
  test: { perCaller: 10, perAccount: 20, retryAfterSeconds: 5, words: 'tests' },
  /** Requests that may wait for the end of a run. */
  wait: { perCaller: 30, perAccount: 100, retryAfterSeconds: 5, words: 'requests that wait' },
} as const;

export interface WorkLimits {
  /** Returns a function that ends the turn. Throws `rate_limited` if no turn is free. */
  readonly begin: (load: Load, by: Pick<Principal, 'accountId' | 'actor'>) => () => void;
}

export function createWorkLimits(): WorkLimits {
  const underWay = new Map<string, number>();
  const change = (name: string, by: 1 | -1): void => {
    const left = (underWay.get(name) ?? 0) + by;
    if (left === 0) underWay.delete(name);
    else underWay.set(name, left);
  };
  return {
    begin: (load, { accountId, actor }) => {
      const { perCaller, perAccount, retryAfterSeconds, words } = BOUNDS[load];
      const caller = `${load} ${accountId} ${actor.id}`;
      const account = `${load} ${accountId}`;
      const isFull =
        (underWay.get(caller) ?? 0) >= perCaller || (underWay.get(account) ?? 0) >= perAccount;
      if (isFull) {
        const limits = `${perCaller} ${words} at once, an account ${perAccount}`;
        const message = `A key or person may have at most ${limits}. Wait for one to end.`;
        throw new AppError('rate_limited', message, { retryAfterSeconds });
      }
      change(caller, 1);
      change(account, 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        change(caller, -1);
        change(account, -1);
      };
    },
  };
}
