/**
 * The API's clock at a probe, whose own may be off by days: the grid of slots is the API's. It is read from responses;
 * the one that came fastest in the last minutes says the latest time, and is late by its way back only.
 */

/** Clocks drift apart by milliseconds meanwhile; one that is set back is followed after twice as long. */
const WINDOW_MS = 10 * 60_000;

export interface ApiClock {
  /** The probe's own time until the API has said its. */
  readonly nowMs: () => number;
  /** What the API said in a response that has just arrived. */
  readonly note: (apiNowMs: number) => void;
}

export function createApiClock(): ApiClock {
  let windowFromMs = performance.now();
  // The API's time at 0 of `performance.now()`, at least, by this window's responses and by the last one's.
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
