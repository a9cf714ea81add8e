/**
 * The server's clock, as attempts show it: the probe's own may be off. The server says when it put an attempt into
 * the queue; how long that took to get here is known but for one constant, and the shortest way of the last hours
 * is taken for one on which nothing waited.
 */
import { performance } from 'node:perf_hooks';

/**
 * Longer than a line for a probe lasts: whoever takes a wait for none is late by as much with each next slot, is put
 * back for being late, and so keeps the line as long as it is. Clocks drift apart by less than a second meanwhile.
 */
const WINDOW_MS = 60 * 60_000;

/** When an attempt begins, by the server's clock. */
export interface AttemptTime {
  readonly nowMs: number;
  /** So much of it passed in line for a probe. */
  readonly waitedMs: number;
}

/**
 * Takes when the server queued an attempt that begins at this moment. While all attempts of one to two hours have
 * waited, the least of these waits is not seen; a clock of the server that is set back is followed after as long.
 */
export type AttemptClock = (queuedAtMs: number) => AttemptTime;

/** `elapsedMs` must never be set. */
export function createAttemptClock(
  elapsedMs: () => number = () => performance.now(),
): AttemptClock {
  let windowFromMs = elapsedMs();
  let shortestMs = Number.POSITIVE_INFINITY;
  let shortestBeforeMs = Number.POSITIVE_INFINITY;
  return (queuedAtMs) => {
    const atMs = elapsedMs();
    if (atMs - windowFromMs >= WINDOW_MS) {
      windowFromMs = atMs;
      shortestBeforeMs = shortestMs;
      shortestMs = Number.POSITIVE_INFINITY;
    }
    shortestMs = Math.min(shortestMs, atMs - queuedAtMs);
    const waitedMs = Math.round(atMs - queuedAtMs - Math.min(shortestMs, shortestBeforeMs));
    return { nowMs: queuedAtMs + waitedMs, waitedMs };
  };
}
