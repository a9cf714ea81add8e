/**
 * The time limit of a run as a clock that can stand still. It decides nothing: what happens when
 * the time is up is told to it.
 */
import { CancellationScope, sleep } from '@temporalio/workflow';
import { formatTime } from './show';

export interface RunClock {
  /** Goes on counting; nothing changes while it does. */
  readonly go: () => void;
  /** Stands still from now on. */
  readonly stop: () => void;
  readonly leftMs: () => number;
}

/** Stands still at first; calls `onLate` once, when it has counted `limitMs`. */
export function createRunClock(limitMs: number, onLate: () => void): RunClock {
  let leftMs = limitMs;
  let timer: { readonly scope: CancellationScope; readonly endsAtMs: number } | null = null;

  function go(): void {
    if (timer !== null || leftMs <= 0) return;
    const endsAtMs = Date.now() + leftMs;
    const scope = new CancellationScope();
    timer = { scope, endsAtMs };
    const summary = `run may take until ${formatTime(endsAtMs)}`;
    scope
      .run(() => sleep(Math.max(1, endsAtMs - Date.now()), { summary }))
      .then(
        () => {
          leftMs = 0;
          timer = null;
          onLate();
        },
        () => undefined,
      );
  }

  function stop(): void {
    if (timer === null) return;
    leftMs = Math.max(1, timer.endsAtMs - Date.now());
    timer.scope.cancel();
    timer = null;
  }

  return {
    go,
    stop,
    leftMs: () => (timer === null ? leftMs : Math.max(0, timer.endsAtMs - Date.now())),
  };
}
