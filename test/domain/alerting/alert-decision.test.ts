/** Tests the recorded reason why people were or were not notified of an incident. The reason is decided in one slot. */
import type { AlertRules, AlertState } from '../../../src/contracts/alerts';
import type { Health, IncidentRecord } from '../../../src/contracts/records';
import { findReason, withDecision } from '../../../src/domain/alerting/alert-decision';
import { NO_ALERTS, nextAlerts } from '../../../src/domain/alerting/alert-policy';

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
  return { state: verdict.state, reason: findReason(verdict, slot, rules) };
}

test.each([
  ['a failure that is sent', {}, 'notified'],
  ['a failure in maintenance', { isMuted: true }, 'muted'],
  ['a rule without failures', { rules: { ...RULES, onFailure: false } }, 'failure_off'],
  ['a rule without recipients', { rules: { ...RULES, targets: [] } }, 'no_recipients'],
] as const)('a decision about %s has its own reason', (_, given, reason) => {
  expect(decide(NO_ALERTS, 'down', given).reason).toBe(reason);
});

test('the decision at the end of a failure says that the recovery is sent, or that no one was notified of the failure', () => {
  const { state } = decide(NO_ALERTS, 'down');
  expect(decide(state, 'up').reason).toBe('recovery_notified');
  const muted = decide(NO_ALERTS, 'down', { isMuted: true });
  expect(decide(muted.state, 'up').reason).toBe('never_notified');
});

test('a healthy slot records no decision about alerts', () => {
  expect(decide(NO_ALERTS, 'up').reason).toBeNull();
});

test('a repeated decision is stored once, and a long list keeps the first 5 and the last 15 decisions', () => {
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

describe('the reason why no one is notified of a failure', () => {
  const open = decide(NO_ALERTS, 'down').state;
  const incident = {
    id: 'inc_b',
    openedAtMs: 60_000,
    closedAtMs: null,
    cause: null,
    regions: ['eu'],
    firstRunId: null,
  };
  const slot = {
    atMs: 60_000,
    health: 'down',
    healthSinceMs: 60_000,
    opening: { id: 'inc_b', cause: null, regions: ['eu'], firstRunId: null },
    isMuted: false,
  } as const;
  const silently = (state: Partial<AlertState>, rules: Partial<AlertRules> = {}) =>
    findReason({ state: { ...NO_ALERTS, incident, ...state }, changed: null, due: [] }, slot, {
      ...RULES,
      ...rules,
    });

  test('an outage that people already know of is a reason why no one is notified of a failure', () => {
    expect(silently({ notices: open.notices })).toBe('known_down');
    const own = open.notices.map((notice) => ({ ...notice, incident }));
    expect(silently({ notices: own })).toBeNull();
  });

  test('flapping is a reason why no one is notified of a failure', () => {
    expect(silently({ flappingSinceMs: 1 })).toBe('flapping');
  });

  test('an acknowledgement or a snooze is a reason why no one is notified of a failure', () => {
    const silence = {
      incidentId: 'inc_b',
      sequence: 1,
      isAcknowledged: true,
      snoozedUntilMs: null,
    };
    expect(silently({ silence })).toBe('silenced');
  });

  test('a dependency that is down or has not reported is a reason why no one is notified of a failure', () => {
    expect(silently({})).toBe('asks_dependencies');
    const hold = { incidentId: 'inc_b', slotMs: 60_000, explainedBy: null };
    expect(silently({ hold })).toBe('asks_dependencies');
    const explainedBy = {
      kind: 'monitor',
      id: 'mon_1',
      name: 'Router',
      incidentId: null,
      atMs: 1,
      untilMs: null,
    } as const;
    expect(silently({ hold: { ...hold, explainedBy } })).toBe('dependency');
  });

  test('the decision has no reason if there is no incident, or if the check is not down', () => {
    expect(silently({ incident: null })).toBeNull();
    const verdict = { state: { ...NO_ALERTS, incident }, changed: null, due: [] };
    expect(findReason(verdict, { ...slot, health: 'up' }, RULES)).toBeNull();
  });

  describe('the reason at the end of a failure', () => {
    const notified = [{ reason: 'notified', atMs: 1 }] as const;
    const endedWith = (
      state: Partial<AlertState>,
      { rules = {}, isMuted = false, decisions = notified }: Ended = {},
    ) =>
      findReason(
        {
          state: { ...NO_ALERTS, ...state },
          changed: { ...incident, closedAtMs: 90_000, decisions },
          due: [],
        },
        { ...slot, health: 'up', isMuted },
        { ...RULES, ...rules },
      );
    interface Ended {
      readonly rules?: Partial<AlertRules>;
      readonly isMuted?: boolean;
      readonly decisions?: NonNullable<IncidentRecord['decisions']>;
    }

    test('after the end of a failure, the reason says why the recovery is not sent', () => {
      expect(endedWith({}, { isMuted: true })).toBe('recovery_muted');
      expect(endedWith({ flappingSinceMs: 1 })).toBe('recovery_flapping');
      expect(endedWith({}, { rules: { onRecovery: false } })).toBe('recovery_off');
    });

    test('no recovery is sent if no one was notified of the failure, and the reason says so', () => {
      expect(endedWith({})).toBe('never_notified');
      expect(endedWith({}, { isMuted: true, decisions: [] })).toBe('never_notified');
      const { notices } = open;
      const off = { rules: { onRecovery: false }, decisions: [] };
      expect(endedWith({ notices }, off)).toBe('never_notified');
      expect(endedWith({ notices }, { isMuted: true, decisions: [] })).toBe('recovery_muted');
    });
  });
});
