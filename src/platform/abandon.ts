/**
 * Lets nested calls stop when no one needs their result any more. Use it only for reads, because a write must be
 * completed or undone.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const abandonment = new AsyncLocalStorage<AbortSignal>();

/** Runs the work. Once the signal is aborted, each call to `refuseIfAbandoned` during the work throws. */
export function runUntil<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  return abandonment.run(signal, work);
}

/** Throws the abort reason if the signal of the current work was aborted. */
export function refuseIfAbandoned(): void {
  abandonment.getStore()?.throwIfAborted();
}
