/** Limits how long a caller waits. The work receives a signal when its caller has stopped waiting. */
import { AppError } from '../../platform/errors';

/**
 * Resolves with the result of the work. After the deadline, rejects with `unavailable` and aborts `abandon`. Work that
 * writes continues after the deadline, and is completed or undone.
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
