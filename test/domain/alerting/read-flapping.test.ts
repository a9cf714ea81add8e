/** Tests whether a check counts as flapping, by the stored decisions of its incident. */
import type { AlertDecision, IncidentRecord } from '../../../src/contracts/records';
import { FLAPPING_MS } from '../../../src/domain/alerting/flapping';
import { readFlapping } from '../../../src/domain/alerting/read-flapping';

type Reason = AlertDecision['reason'];

const MINUTE = 60_000;

/** Builds an outage with its start and end in minutes. Its decisions are one second apart. */
function outage(from: number, to: number | null, ...reasons: readonly Reason[]) {
  const openedAtMs = from * MINUTE;
  const decisions = reasons.map((reason, index) => ({ atMs: openedAtMs + index * 1_000, reason }));
  const closedAtMs = to === null ? null : to * MINUTE;
  return { openedAtMs, closedAtMs, decisions } satisfies Partial<IncidentRecord>;
}

const isFlapping = (nowMs: number, ...episodes: readonly ReturnType<typeof outage>[]): boolean =>
  readFlapping(episodes, { nowMs, isWhole: true }).isFlapping;

test.each([
  'flapping_began',
  'flapping',
  'flapping_again',
  'stayed_down',
  'recovery_flapping',
] as const)(
  'a check is flapping for 30 minutes after the last change if it ended with %s',
  (reason) => {
    const open = outage(0, null, reason);
    expect(isFlapping(FLAPPING_MS - 1, open)).toBe(true);
    expect(isFlapping(FLAPPING_MS, open)).toBe(false);
    const closed = outage(0, 2, 'flapping', reason);
    expect(isFlapping(2 * MINUTE + FLAPPING_MS - 1, closed)).toBe(true);
    expect(isFlapping(2 * MINUTE + FLAPPING_MS, closed)).toBe(false);
  },
);

test('only the last outage decides whether a check is flapping', () => {
  const flapped = outage(0, 2, 'flapping', 'recovery_flapping');
  expect(isFlapping(4 * MINUTE, flapped, outage(3, null, 'notified'))).toBe(false);
  expect(isFlapping(4 * MINUTE, outage(-3, -1, 'notified', 'recovery_notified'), flapped)).toBe(
    true,
  );
  expect(isFlapping(4 * MINUTE, outage(0, 2, 'flapping_began', 'recovery_notified'))).toBe(false);
  expect(isFlapping(4 * MINUTE)).toBe(false);
});

test('an ordinary decision, such as notified, keeps a check flapping only in a short outage that began with flapping', () => {
  expect(isFlapping(6 * MINUTE, outage(0, null, 'flapping', 'notified'))).toBe(true);
  expect(isFlapping(3 * MINUTE, outage(0, 2, 'flapping_began', 'never_notified'))).toBe(true);
  expect(isFlapping(3 * MINUTE, outage(0, 2, 'muted', 'never_notified'))).toBe(false);
  const long = outage(0, 40, 'flapping', 'never_notified');
  expect(isFlapping(41 * MINUTE, long)).toBe(false);
});

test('a check is flapping since the last flapping notice, or if no notice was due, since the first decision about flapping', () => {
  const since = (isWhole: boolean, ...episodes: readonly ReturnType<typeof outage>[]) =>
    readFlapping(episodes, { nowMs: 10 * MINUTE, isWhole }).sinceMs;
  const noticed = outage(1, 2, 'notified', 'flapping_began');
  const silent = outage(5, null, 'flapping');
  expect(since(true, noticed, silent)).toBe(MINUTE + 1_000);
  expect(since(true, outage(1, 2, 'notified'), outage(3, 4, 'flapping'), silent)).toBe(3 * MINUTE);
  expect(since(false, outage(3, 4, 'flapping'), silent)).toBe(null);
  expect(since(true, outage(1, 2, 'flapping_began', 'recovery_notified'))).toBe(null);
});
