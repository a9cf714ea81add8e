/** Tests when a session ends, to the millisecond, with and without the choice to stay signed in. */
import { chooseSessionLimits, isSessionAlive } from '../../../src/domain/accounts/session-rules';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const createdAtMs = 1_000_000;

describe.each([
  { staySignedIn: false, idleMs: 12 * HOUR_MS, lifetimeMs: 7 * DAY_MS },
  { staySignedIn: true, idleMs: 7 * DAY_MS, lifetimeMs: 30 * DAY_MS },
])('a session with staySignedIn $staySignedIn', ({ staySignedIn, idleMs, lifetimeMs }) => {
  test.each([
    ['just started', 0, 0, true],
    ['a moment before the idle limit', 0, idleMs - 1, true],
    ['at the idle limit', 0, idleMs, false],
    ['used since', idleMs - 1, 2 * idleMs - 2, true],
    ['a moment before its end, used at once', lifetimeMs - 2, lifetimeMs - 1, true],
    ['at its end, however recently it was used', lifetimeMs - 1, lifetimeMs, false],
  ])('a session ends at its idle limit and its lifetime: %s', (_when, seenMs, nowMs, isAlive) => {
    const session = { createdAtMs, lastSeenAtMs: createdAtMs + seenMs, staySignedIn };
    expect(isSessionAlive(session, createdAtMs + nowMs)).toBe(isAlive);
  });
});

test('sessions of earlier releases have the short limits', () => {
  expect(chooseSessionLimits({})).toEqual({ idleMs: 12 * HOUR_MS, lifetimeMs: 7 * DAY_MS });
});
