/** The fixed windows in which the requests of an API key are counted: a minute, and a day in UTC. */
import type { KeyLimits } from './plan';

/** The number of requests in the two current windows. Windows are numbered from the epoch. */
export interface QuotaUse {
  readonly minute: number;
  readonly minuteUsed: number;
  readonly day: number;
  readonly dayUsed: number;
}

/** The state of one window, as clients see it. */
export interface WindowState {
  readonly name: 'minute' | 'day';
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

const MINUTE_MS = 60_000;
const MINUTES_OF_DAY = 1_440;
const DAY_MS = MINUTES_OF_DAY * MINUTE_MS;
/** How many minutes the clocks of API processes may differ. */
const MINUTES_AHEAD_MAX = 2;

/**
 * Returns the current windows. If a process with a faster clock has already started the next minute, that minute stays
 * current. A window that is too far ahead is ignored.
 */
export function findWindows(
  nowMs: number,
  stored: Pick<QuotaUse, 'minute'> | null = null,
): Pick<QuotaUse, 'minute' | 'day'> {
  const now = Math.floor(nowMs / MINUTE_MS);
  const ahead = (stored?.minute ?? now) - now;
  const minute = ahead > 0 && ahead <= MINUTES_AHEAD_MAX ? now + ahead : now;
  return { minute, day: Math.floor(minute / MINUTES_OF_DAY) };
}

/** Returns the states of both windows. Requests in past windows do not count. */
export function computeWindowStates(
  use: QuotaUse,
  limits: KeyLimits,
  nowMs: number,
): readonly [WindowState, WindowState] {
  const { minute, day } = findWindows(nowMs, use);
  const minuteUsed = use.minute === minute ? use.minuteUsed : 0;
  const dayUsed = use.day === day ? use.dayUsed : 0;
  return [
    {
      name: 'minute',
      quota: limits.perMinute,
      windowSeconds: MINUTE_MS / 1000,
      remaining: Math.max(0, limits.perMinute - minuteUsed),
      resetSeconds: Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000),
    },
    {
      name: 'day',
      quota: limits.perDay,
      windowSeconds: DAY_MS / 1000,
      remaining: Math.max(0, limits.perDay - dayUsed),
      resetSeconds: Math.ceil(((day + 1) * DAY_MS - nowMs) / 1000),
    },
  ];
}
