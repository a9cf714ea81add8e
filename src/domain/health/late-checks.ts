/**
 * When a check begins whose slot passed while the service was down: not at once, since all others are late as
 * well. Pure.
 */
import { hashText } from '../definitions/hash-of';

/** Timers may be this late without any downtime. */
const PUNCTUAL_MS = 1_000;
/** A late check may be late again: the wait ends this long before the next slot, or does not begin. */
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
 * The time that a check waits from now on, in milliseconds: 0 if it is punctual or in the last three seconds before its
 * next slot; otherwise at most half an interval, ending over three seconds before the next slot, so that an overloaded
 * machine does not miss the slot by waiting. However long the downtime was, late checks then begin at no more than
 * three times their usual rate, if their slots are spread over the interval; those in their last three seconds begin
 * together with the first of them.
 */
export function lateCheckWaitMs({ id, slotMs, intervalMs, nowMs }: LateCheck): number {
  const lateMs = nowMs - slotMs;
  const leftMs = intervalMs - lateMs - RESERVE_MS;
  if (lateMs <= PUNCTUAL_MS || leftMs <= 0) return 0;
  // All delays from 0 to the interval are equally frequent: both slopes fill the same half evenly.
  const longestMs = Math.min((lateMs * 4) / 3, (leftMs * 4) / 5);
  const share = 1 - HASHED_SHARE + (HASHED_SHARE * (hashText(id) % 1_000)) / 1_000;
  return Math.floor(longestMs * share);
}
