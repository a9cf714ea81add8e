/** Tests when a failure continues the previous incident. */
import type { AlertDecision } from '../../../src/contracts/records';
import { isSameIncident, readIncidentState } from '../../../src/domain/alerting/same-incident';

const MINUTE = 60_000;

const after = (minutes: number, ...reasons: readonly AlertDecision['reason'][]): boolean => {
  const openedAtMs = minutes * MINUTE;
  const decisions = reasons.map((reason) => ({ atMs: openedAtMs, reason }));
  return isSameIncident({ closedAtMs: 0 }, { openedAtMs, decisions });
};

test('a failure within five minutes continues the previous incident, even if its recovery was sent', () => {
  for (const reason of ['notified', 'muted', 'dependency', 'flapping'] as const)
    expect(after(4.9, reason)).toBe(true);
  expect(after(4.9)).toBe(true);
  expect(after(5, 'notified')).toBe(false);
});

test('a failure that began during flapping continues the incident, even after a longer recovery', () => {
  expect(after(29, 'flapping', 'notified')).toBe(true);
  expect(after(29, 'flapping_began')).toBe(true);
  // Flapping began only after the first alert was sent.
  expect(after(29, 'notified', 'flapping')).toBe(false);
});

test('an open incident is never merged with a later incident', () => {
  expect(isSameIncident({ closedAtMs: null }, { openedAtMs: 0 })).toBe(false);
});

test('an incident whose check recovered during flapping is over only once the check has been stable', () => {
  const standing = (
    reason: AlertDecision['reason'],
    minutes: number,
    closedAtMs: number | null = 0,
  ) => readIncidentState({ closedAtMs, decisions: [{ atMs: 0, reason }] }, minutes * MINUTE);
  expect(standing('notified', 1, null)).toBe('open');
  expect(standing('recovery_notified', 1)).toBe('over');
  expect(standing('recovery_flapping', 1)).toBe('flapping');
  expect(standing('flapping_began', 39)).toBe('flapping');
  expect(standing('recovery_flapping', 41)).toBe('over');
});
