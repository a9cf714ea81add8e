/**
 * Lets nested calls stop once no one is waiting for their result. For reads only: a write either
 * completes or is undone.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const abandonment = new AsyncLocalStorage<AbortSignal>();

/** Runs the work. After the signal, calls to `refuseIfAbandoned` inside of it throw. */
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
