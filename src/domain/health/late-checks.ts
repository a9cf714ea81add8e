/**
 * When a check begins whose slot has passed while the service stood still: not at once, since all others
 * are late with it. Pure.
 */
import { hashOf } from '../definitions/hash-of';

/** Timers may be this late; that is no standstill. */
const PUNCTUAL_MS = 1_000;
/** What was late once may be so again: the wait ends so long before the next slot, or does not begin. */
const RESERVE_MS = 3_000;
/** The part of the wait that differs between monitors whose slots fall together. */
const HASHED_SHARE = 0.3;

export interface LateCheck {
  readonly id: string;
  readonly slotMs: number;
  readonly intervalMs: number;
  readonly nowMs: number;
}

/**
 * The wait of a check from now on, in milliseconds: 0 while it is punctual and in the last three seconds
 * before its next slot, at most half an interval, and over three seconds before the next slot, so that a
 * machine with too much to do does not miss the slot by waiting. However long the standstill was, those that
 * were late then begin at no more than three times their usual rate, if their slots are spread over the
 * interval; with the first of them come those of the last three seconds.
 */
export function lateCheckWaitMs({ id, slotMs, intervalMs, nowMs }: LateCheck): number {
  const lateMs = nowMs - slotMs;
  const leftMs = intervalMs - lateMs - RESERVE_MS;
  if (lateMs <= PUNCTUAL_MS || leftMs <= 0) return 0;
  // Each lateness from 0 to the interval is as frequent: both slopes fill the same half evenly.
  const longestMs = Math.min((lateMs * 4) / 3, (leftMs * 4) / 5);
  const share = 1 - HASHED_SHARE + (HASHED_SHARE * (hashOf(id) % 1_000)) / 1_000;
  return Math.floor(longestMs * share);
}
