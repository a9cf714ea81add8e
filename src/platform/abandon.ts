/**
 * Tells work deep down that nobody waits for its outcome any more, so that it goes no further. For
 * reads only: a write either completes or takes itself back.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const abandonment = new AsyncLocalStorage<AbortSignal>();

/** Does the work, all of whose calls to `refuseIfAbandoned` throw once the signal is aborted. */
export function untilAbandoned<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  return abandonment.run(signal, work);
}

/** Throws the reason of the signal that the work is under, if it was aborted. */
export function refuseIfAbandoned(): void {
  abandonment.getStore()?.throwIfAborted();
}
