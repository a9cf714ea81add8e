/** Tests the rate limit windows of an API key. */
import { computeWindowStates, findWindows } from '../../../src/domain/accounts/key-quota';

const NOON_MS = Date.UTC(2026, 0, 5, 12, 0, 30);
const LIMITS = { perMinute: 60, perDay: 10_000 };

test('a rate limit window that another clock opened slightly early stays in use', () => {
  const { minute } = findWindows(NOON_MS);
  expect(findWindows(NOON_MS, { minute: minute + 2 }).minute).toBe(minute + 2);
  expect(findWindows(NOON_MS, { minute: minute + 3 }).minute).toBe(minute);
  expect(findWindows(NOON_MS, { minute: minute - 1 }).minute).toBe(minute);
});

test('a rate limit minute that begins at midnight counts for the new day, even if a fast clock opened it before midnight', () => {
  const beforeMidnightMs = Date.UTC(2026, 0, 5, 23, 59, 59);
  const { minute, day } = findWindows(beforeMidnightMs);
  expect(findWindows(beforeMidnightMs, { minute: minute + 1 })).toEqual({
    minute: minute + 1,
    day: day + 1,
  });
});

test('requests in past windows do not count towards the quota of a key', () => {
  const { minute, day } = findWindows(NOON_MS);
  const old = { minute: minute - 1, minuteUsed: 60, day: day - 1, dayUsed: 10_000 };
  expect(computeWindowStates(old, LIMITS, NOON_MS).map(({ remaining }) => remaining)).toEqual([
    60, 10_000,
  ]);
  const current = { minute, minuteUsed: 61, day, dayUsed: 1 };
  expect(computeWindowStates(current, LIMITS, NOON_MS)).toEqual([
    { name: 'minute', quota: 60, windowSeconds: 60, remaining: 0, resetSeconds: 30 },
    { name: 'day', quota: 10_000, windowSeconds: 86_400, remaining: 9_999, resetSeconds: 43_170 },
  ]);
});
