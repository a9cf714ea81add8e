/**
 * The API's clock at a probe, whose own clock may be off by days: the grid of slots follows the API's clock. It is
 * derived from responses: the fastest one of the last minutes yields the latest time, late only by its way back.
 */

/** Clocks drift apart by milliseconds in this time. A clock that is set back is followed after twice this time. */
const WINDOW_MS = 10 * 60_000;

export interface ApiClock {
  /** The probe's own time until the API has reported its time. */
  readonly nowMs: () => number;
  /** Takes the API's time from a response that has just arrived. */
  readonly note: (apiNowMs: number) => void;
}

export function createApiClock(): ApiClock {
  let windowFromMs = performance.now();
  // Lower bounds of the API's time at 0 of `performance.now()`: from this window's responses, and from the last one's.
  let originMs = Number.NEGATIVE_INFINITY;
  let originBeforeMs = Number.NEGATIVE_INFINITY;
  return {
    nowMs: () => {
      const knownMs = Math.max(originMs, originBeforeMs);
      return Number.isFinite(knownMs) ? Math.round(knownMs + performance.now()) : Date.now();
    },
    note: (apiNowMs) => {
      const atMs = performance.now();
      if (atMs - windowFromMs >= WINDOW_MS) {
        windowFromMs = atMs;
        originBeforeMs = originMs;
        originMs = Number.NEGATIVE_INFINITY;
      }
      originMs = Math.max(originMs, apiNowMs - atMs);
    },
  };
}
