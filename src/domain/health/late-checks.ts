/**
 * Decides when a late check starts. A check is late if its slot passed while the service was down. After such an
 * outage, many checks are late at once, so their starts are spread over time. Pure.
 */
import { hashText } from '../definitions/hash-text';

/** How late a check may be and still count as punctual, because timers are not exact. */
const PUNCTUAL_MS = 1_000;
/** The wait ends at least this long before the next slot, because the check may still be delayed once more. */
const RESERVE_MS = 3_000;
/** The share of the wait that differs between monitors with the same slots. */
const HASHED_SHARE = 0.3;

export interface LateCheck {
  readonly id: string;
  readonly slotMs: number;
  readonly intervalMs: number;
  readonly nowMs: number;
}

/**
 * Returns how long a late check waits, in milliseconds: at most half an interval, ending more than three seconds before
 * the next slot. 0 if the check is punctual or the next slot is near. If slots are spread over the interval, late
 * checks start at no more than three times their usual rate.
 */
export function computeLateCheckWaitMs({ id, slotMs, intervalMs, nowMs }: LateCheck): number {
  const lateMs = nowMs - slotMs;
  const leftMs = intervalMs - lateMs - RESERVE_MS;
  if (lateMs <= PUNCTUAL_MS || leftMs <= 0) return 0;
  // After an outage, every lateness up to one interval is equally frequent. With the factors 4/3 and 4/5, the waits are
  // then spread evenly from 0 to half an interval.
  const longestMs = Math.min((lateMs * 4) / 3, (leftMs * 4) / 5);
  const share = 1 - HASHED_SHARE + (HASHED_SHARE * (hashText(id) % 1_000)) / 1_000;
  return Math.floor(longestMs * share);
}
