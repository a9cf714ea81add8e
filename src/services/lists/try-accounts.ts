/** Runs work for many accounts, for housekeeping. If the work fails for one account, it continues for the others. */
import { isUnavailable } from '../../platform/errors';

/** Runs the work of one account. Catches and counts its error. */
export type TryAccount = (accountId: string, act: () => Promise<void>) => Promise<void>;

interface AccountTries {
  /** Runs the work. Throws if the signal is aborted. */
  readonly tryAccount: TryAccount;
  /**
   * Returns how many accounts had an error. Throws if the database or Temporal was unavailable, so that the task is
   * repeated.
   */
  readonly finish: () => number;
}

interface TryOptions {
  readonly signal: AbortSignal;
  readonly notifyOperator: (facts: Readonly<Record<string, string>>, sentence: string) => void;
  /** The sentence in the log for the operator, like `the rollouts of an account could not be continued`. */
  readonly sentence: string;
}

export function createAccountTries({ signal, notifyOperator, sentence }: TryOptions): AccountTries {
  const failed = new Set<string>();
  const unavailable: unknown[] = [];
  return {
    async tryAccount(accountId, act) {
      signal.throwIfAborted();
      try {
        await act();
      } catch (error) {
        signal.throwIfAborted();
        if (isUnavailable(error)) unavailable.push(error);
        if (!failed.has(accountId))
          notifyOperator({ accountId, reason: describe(error) }, sentence);
        failed.add(accountId);
      }
    },
    finish() {
      if (unavailable.length > 0) throw unavailable[0];
      return failed.size;
    },
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
