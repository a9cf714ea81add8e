/** A signal that aborts after a time, or with another signal. */

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Stops the timer, and ends the connection to the parent signal. The timer never keeps the process alive. */
  readonly clear: () => void;
}

/**
 * Creates a signal that aborts after the time or with the parent. AbortSignal.timeout is not used, because Node 20 may
 * garbage-collect such a signal before it fires.
 */
export function startTimeLimit(afterMs: number, parent?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new DOMException('time is over', 'TimeoutError'));
  const follow = (): void => controller.abort(parent?.reason);
  const timer = setTimeout(abort, afterMs);
  timer.unref();
  if (parent?.aborted === true) follow();
  else parent?.addEventListener('abort', follow, { once: true });
  const clear = (): void => {
    clearTimeout(timer);
    parent?.removeEventListener('abort', follow);
  };
  return { signal: controller.signal, clear };
}
