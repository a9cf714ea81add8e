/**
 * Estimates the API's time for a probe. Slots follow the API's clock, and the probe's own clock may be wrong by days.
 * Each estimate is late by the time that the response took to arrive. The fastest response of the last minutes is
 * therefore used.
 */

/**
 * Within this time, the two clocks drift apart by only a few milliseconds. If the API's clock is set back, the estimate
 * follows after at most twice this time.
 */
const WINDOW_MS = 10 * 60_000;

export interface ApiClock {
  /** Returns the API's estimated time. Returns the probe's own time until the first response has arrived. */
  readonly nowMs: () => number;
  /** Reads the API's time from a response that has just arrived. */
  readonly note: (apiNowMs: number) => void;
}

export function createApiClock(): ApiClock {
  let windowFromMs = performance.now();
  // The API's time at the moment when `performance.now()` was 0: the best estimate of this window, and of the previous
  // window.
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
