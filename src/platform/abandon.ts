/**
 * Lets nested calls stop when no one waits for their result any more. Only for reads, because a write must be completed
 * or undone.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const abandonment = new AsyncLocalStorage<AbortSignal>();

/** Runs the work. After the signal is aborted, calls to `refuseIfAbandoned` inside of the work throw. */
export function untilAbandoned<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  return abandonment.run(signal, work);
}

/** Throws the abort reason if the signal of the current work was aborted. */
export function refuseIfAbandoned(): void {
  abandonment.getStore()?.throwIfAborted();
}
