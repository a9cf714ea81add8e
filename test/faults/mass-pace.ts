/**
 * How often very many monitors that fail at once are checked: as often as two cores can manage. It
 * knows no service.
 */

const CHECK_EVERY_MS = 60;
const INTERVAL_MIN_MS = 10_000;
/** Time for the first check after the failure began, and one more. */
const INTERVALS_FAILING = 2.5;

export interface MassPace {
  readonly intervalMs: number;
  /** How long they fail, so that each is seen failing. */
  readonly seconds: number;
}

/**
 * At most 17 checks a second in total, and at most one every ten seconds for each monitor, unless an
 * interval is given.
 */
export function massPace(monitors: number, givenIntervalMs?: number): MassPace {
  const seconds = Math.ceil((monitors * CHECK_EVERY_MS) / 1_000);
  const intervalMs = givenIntervalMs ?? Math.max(INTERVAL_MIN_MS, seconds * 1_000);
  return { intervalMs, seconds: Math.ceil((intervalMs * INTERVALS_FAILING) / 1_000) };
}
