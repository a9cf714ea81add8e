/**
 * The API's clock at a probe, whose own may be off by days: the grid of slots is the API's. Taken from its responses;
 * the one that came fastest in the last minutes is right by half the time that it took.
 */
import { performance } from 'node:perf_hooks';

/** Clocks drift apart by less than a tick of the grid meanwhile; one that is set is followed after as long. */
const WINDOW_MS = 10 * 60_000;

export interface ApiClock {
  /** The probe's own time until the API has said its. */
  readonly nowMs: () => number;
  /** What the API said, in a response to a request that was sent at `sentAtMs` of `performance.now()`. */
  readonly note: (apiNowMs: number, sentAtMs: number) => void;
}

interface Sample {
  /** The API's time at 0 of `performance.now()`. */
  readonly originMs: number;
  readonly tookMs: number;
  readonly atMs: number;
}

export function createApiClock(): ApiClock {
  let best: Sample | null = null;
  return {
    nowMs: () => (best === null ? Date.now() : Math.round(best.originMs + performance.now())),
    note: (apiNowMs, sentAtMs) => {
      const atMs = performance.now();
      const tookMs = atMs - sentAtMs;
      const isOld = best !== null && atMs - best.atMs > WINDOW_MS;
      if (best !== null && !isOld && tookMs > best.tookMs) return;
      best = { originMs: apiNowMs + tookMs / 2 - atMs, tookMs, atMs };
    },
  };
}
