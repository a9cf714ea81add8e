/** Why people were notified of an incident or were not: one reason, from the slot that decided. */
import type { AlertRules, AlertState } from '../../../src/contracts/alerts';
import type { Health } from '../../../src/contracts/records';
import { reasonOf, withDecision } from '../../../src/domain/alerting/alert-decision';
import { nextAlerts, QUIET_ALERTS } from '../../../src/domain/alerting/alert-policy';

const RULES: AlertRules = {
  channels: [],
  targets: [{ key: 'ops', type: 'email', channelId: null, masked: 'ops', sealed: '' }],
  onFailure: true,
  onRecovery: true,
  onDegraded: false,
  remindEveryMinutes: null,
};

function decide(
  state: AlertState,
  health: Health,
  { rules = RULES, isMuted = false }: { rules?: AlertRules; isMuted?: boolean } = {},
) {
  const opening = { id: 'inc_a', cause: null, regions: ['eu'], firstRunId: null };
  const slot = { atMs: 60_000, health, healthSinceMs: 60_000, opening, isMuted };
  const verdict = nextAlerts(state, slot, rules);
  return { state: verdict.state, reason: reasonOf(verdict, slot, rules) };
}

test.each([
  ['a failure that is sent', {}, 'notified'],
  ['a failure in maintenance', { isMuted: true }, 'muted'],
  ['a rule without failures', { rules: { ...RULES, onFailure: false } }, 'failure_off'],
  ['a rule without recipients', { rules: { ...RULES, targets: [] } }, 'no_recipients'],
] as const)('%s has the reason that applied', (_, given, reason) => {
  expect(decide(QUIET_ALERTS, 'down', given).reason).toBe(reason);
});

test('an end is said to be notified, or why it was not', () => {
  const { state } = decide(QUIET_ALERTS, 'down');
  expect(decide(state, 'up').reason).toBe('recovery_notified');
  const muted = decide(QUIET_ALERTS, 'down', { isMuted: true });
  expect(decide(muted.state, 'up').reason).toBe('never_notified');
});

test('a slot of health decides nothing', () => {
  expect(decide(QUIET_ALERTS, 'up').reason).toBeNull();
});

test('the same decision is kept once, and of many the first five and the last fifteen', () => {
  const incident = {
    id: 'inc_a',
    cause: null,
    regions: ['eu'],
    firstRunId: null,
    openedAtMs: 0,
    closedAtMs: null,
  };
  const once = withDecision(incident, { reason: 'notified', atMs: 0 });
  expect(withDecision(once, { reason: 'notified', atMs: 1 })).toBe(once);
  let grown = once;
  for (let atMs = 1; atMs < 40; atMs += 1)
    grown = withDecision(grown, { reason: atMs % 2 === 0 ? 'notified' : 'muted', atMs });
  expect(grown.decisions?.map(({ atMs }) => atMs)).toEqual([
    0, 1, 2, 3, 4, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
  ]);
});
