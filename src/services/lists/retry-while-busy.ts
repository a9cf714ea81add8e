/** Retries calls to Temporal while Temporal is briefly busy, in requests that change hundreds of objects. */
import type { ErrorCode } from '../../contracts/error-codes';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

const BUSY: ErrorCode = 'unavailable';
const TRIES_MAX = 4;
const PAUSE_MS = 500;
/**
 * Maximum number of retries for all objects of a request together. It limits the delay of the response during an
 * outage.
 */
const RETRIES_MAX = 24;

/**
 * Retries an attempt while `codeOf` returns `unavailable` for its outcome. Resolves with the last outcome. If the
 * attempt throws, rejects with the same error.
 */
export type RetryWhileBusy = <Outcome>(
  attempt: () => Promise<Outcome>,
  codeOf: (outcome: Outcome) => string | undefined,
) => Promise<Outcome>;

/** Retries an attempt. Resolves or rejects like the last attempt. */
export type Retry = <Value>(attempt: () => Promise<Value>) => Promise<Value>;

/** Makes a single attempt, without retries. */
export const tryOnce: Retry = (attempt) => attempt();

/** Returns a function that retries an attempt if the attempt throws `unavailable`. */
export function retryThrown(retry: RetryWhileBusy): Retry {
  return async <Value>(attempt: () => Promise<Value>): Promise<Value> => {
    const tryIt = () =>
      attempt().then(
        (value) => ({ value }),
        (reason: unknown) => ({ reason }),
      );
    const ended = await retry(tryIt, (end) => ('reason' in end ? readCode(end.reason) : undefined));
    if ('reason' in ended) throw ended.reason;
    return ended.value;
  };
}

function readCode(reason: unknown): ErrorCode | undefined {
  return reason instanceof AppError ? reason.code : undefined;
}

/**
 * Creates the retries of one request. An attempt that ends in `unavailable` is retried up to three times, after 0.5, 1
 * and 1.5 s. A request makes at most 24 retries in total. An attempt that fails must undo its writes.
 */
export function createRetryWhileBusy({ sleep }: Pick<Dependencies, 'sleep'>): RetryWhileBusy {
  let retries = 0;
  return async (attempt, codeOf) => {
    for (let tries = 1; ; tries += 1) {
      const outcome = await attempt();
      if (codeOf(outcome) !== BUSY || tries === TRIES_MAX || retries === RETRIES_MAX)
        return outcome;
      retries += 1;
      await sleep(tries * PAUSE_MS);
    }
  };
}
