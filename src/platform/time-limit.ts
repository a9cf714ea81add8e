/** A signal that time or another signal ends. It cancels nothing itself. */

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Forgets the time and the other signal; the process never waits for them. */
  readonly clear: () => void;
}

/**
 * Aborts after the time or with the parent, whichever comes first. Not AbortSignal.any over
 * AbortSignal.timeout: Node 20 may collect a time-out that nobody else holds before it fires.
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
