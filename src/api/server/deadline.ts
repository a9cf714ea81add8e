/** Bounds how long a caller waits, and lets the work know that nobody does any more. */
import { AppError } from '../../platform/errors';

/**
 * The outcome of the work, or `unavailable` once the time is over; `abandon` is aborted then. A
 * write goes on all the same: it either completes or takes itself back.
 */
export async function withDeadline<Value>(
  work: Promise<Value>,
  deadlineMs: number,
  abandon: AbortController,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = 'The database or Temporal did not respond in time.';
      const refusal = new AppError('unavailable', message);
      abandon.abort(refusal);
      reject(refusal);
    }, deadlineMs);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
