/** Tests that a session ends after a week, or after half a day without use, to the millisecond. */
import { isSessionAlive, SESSION_LIFETIME_MS } from '../../../src/domain/accounts/session-rules';

const HOUR_MS = 3_600_000;
const createdAtMs = 1_000_000;

test.each([
  ['just started', 0, 0, true],
  ['a moment before 12 hours without use', 0, 12 * HOUR_MS - 1, true],
  ['12 hours without use', 0, 12 * HOUR_MS, false],
  ['used since', 11 * HOUR_MS, 20 * HOUR_MS, true],
  ['a moment before a week, used at once', SESSION_LIFETIME_MS - 2, SESSION_LIFETIME_MS - 1, true],
  ['a week, however recently it was used', SESSION_LIFETIME_MS - 1, SESSION_LIFETIME_MS, false],
])(
  'a session expires 12 hours after its last use, and a week after its start: %s',
  (_when, seenAfterMs, nowAfterMs, isAlive) => {
    const session = { createdAtMs, lastSeenAtMs: createdAtMs + seenAfterMs };
    expect(isSessionAlive(session, createdAtMs + nowAfterMs)).toBe(isAlive);
  },
);
