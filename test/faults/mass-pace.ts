/**
 * Computes how often very many monitors that fail at once are checked. The pace is what two cores can manage.
 * Independent of any service.
 */

const CHECK_EVERY_MS = 60;
const INTERVAL_MIN_MS = 10_000;
/**
 * Number of intervals for which the monitors fail. This is enough for the first check after the failure began, and for
 * one more.
 */
const INTERVALS_FAILING = 2.5;

export interface MassPace {
  readonly intervalMs: number;
  /** Seconds for which the monitors fail, long enough that each is seen failing. */
  readonly seconds: number;
}

/**
 * Computes the pace. Without a given interval, there are at most 17 checks a second in total, and at most one every ten
 * seconds for each monitor.
 */
export function massPace(monitors: number, givenIntervalMs?: number): MassPace {
  const seconds = Math.ceil((monitors * CHECK_EVERY_MS) / 1_000);
  const intervalMs = givenIntervalMs ?? Math.max(INTERVAL_MIN_MS, seconds * 1_000);
  return { intervalMs, seconds: Math.ceil((intervalMs * INTERVALS_FAILING) / 1_000) };
}
