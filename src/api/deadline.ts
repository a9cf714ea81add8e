/** Bounds how long a caller waits. It can't stop the work, only answer for it. */
import { AppError } from '../platform/errors';

/**
 * The outcome of the work, or `engine_unavailable` once the time is over. Work that ends later is
 * left to itself: every write either completes or takes itself back.
 */
export async function withDeadline<Value>(
  work: Promise<Value>,
  deadlineMs: number,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = 'The database or the workflow engine did not answer in time.';
      reject(new AppError('engine_unavailable', message));
    }, deadlineMs);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
