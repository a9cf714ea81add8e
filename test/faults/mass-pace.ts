/**
 * How often very many monitors are checked that fail at once: as often as two cores bear. It knows no
 * service.
 */

const CHECK_EVERY_MS = 60;
const INTERVAL_MIN_MS = 10_000;
/** The first check after the failure began, and one more to spare. */
const INTERVALS_FAILING = 2.5;

export interface MassPace {
  readonly intervalMs: number;
  /** How long they fail, so that each is seen failing. */
  readonly seconds: number;
}

/** No more than 17 checks a second, whatever their number, and none more often than every ten seconds. */
export function massPace(monitors: number): MassPace {
  const seconds = Math.ceil((monitors * CHECK_EVERY_MS) / 1_000);
  const intervalMs = Math.max(INTERVAL_MIN_MS, seconds * 1_000);
  return { intervalMs, seconds: Math.ceil((intervalMs * INTERVALS_FAILING) / 1_000) };
}
