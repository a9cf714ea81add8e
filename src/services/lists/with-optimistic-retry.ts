/**
 * Retries writes after conflicts (optimistic concurrency). If another writer was faster, the object is read again and
 * the write is retried.
 */
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

/** The result of an attempt if another writer was faster. */
export const OVERTAKEN = Symbol('overtaken');

/** How long writes are retried. The limit leaves time for the other work of a request, which must end within 3 s. */
const RETRY_FOR_MS = 1_500;
const FIRST_WAIT_MS = 4;
const WAIT_MS_MAX = 120;

/**
 * Retries while other writers are faster. The waits are random and grow. Throws `unavailable` if the retries take too
 * long. If the attempt throws, rejects with the same error.
 */
export async function withOptimisticRetry<Value>(
  { clock, sleep }: Pick<Dependencies, 'clock' | 'sleep'>,
  attempt: () => Promise<Value | typeof OVERTAKEN>,
): Promise<Value> {
  const untilMs = clock.now() + RETRY_FOR_MS;
  for (let longestMs = FIRST_WAIT_MS; ; longestMs = Math.min(2 * longestMs, WAIT_MS_MAX)) {
    const outcome = await attempt();
    if (outcome !== OVERTAKEN) return outcome;
    if (clock.now() >= untilMs)
      throw new AppError('unavailable', 'Too many simultaneous changes. Try again.', {
        retryAfterSeconds: 1,
      });
    await sleep(Math.ceil(Math.random() * longestMs));
  }
}
