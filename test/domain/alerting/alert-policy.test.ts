/** Tests that notifications come in matching pairs, never twice, and never too often. */
import fc from 'fast-check';
import type { AlertRules, AlertState, IncidentSilence } from '../../../src/contracts/alerts';
import type { Health } from '../../../src/contracts/records';
import {
  type DueAlert,
  NO_ALERTS,
  nextAlerts,
  withSilence,
} from '../../../src/domain/alerting/alert-policy';
import { FLAPPING_MS } from '../../../src/domain/alerting/flapping';
import { webhookTarget } from '../../support/alert-message';
import { propertyOptions } from '../../support/property-runs';

const MINUTE = 60_000;
const RULES: AlertRules = {
  channels: [],
  targets: [webhookTarget('ops')],
  onFailure: true,
  onRecovery: true,
  onDegraded: true,
  remindEveryMinutes: null,
};

const acknowledgedIn = ({ incident, silence }: AlertState): IncidentSilence => ({
  incidentId: incident?.id ?? '',
  sequence: (silence?.sequence ?? 0) + 1,
  isAcknowledged: true,
  snoozedUntilMs: null,
});

interface Step {
  readonly health: Health;
  readonly minutes: number;
  readonly isMuted?: boolean;
  /** If set, the rules change to these at this step. */
  readonly rules?: AlertRules;
  /** If true, the open incident is acknowledged after the step. */
  readonly isAcknowledged?: boolean;
}

interface Sent extends DueAlert {
  readonly atMs: number;
  readonly acknowledgedId: string | null;
}

/** Runs the steps. Returns the notifications with their times, the incidents and the final state. */
function play(steps: readonly Step[], given: AlertRules = RULES) {
  let state: AlertState = NO_ALERTS;
  let rules = given;
  let atMs = 0;
  let health: Health = 'pending';
  let sinceMs = 0;
  const sent: Sent[] = [];
  const incidents: { readonly id: string; readonly closedAtMs: number | null }[] = [];
  for (const step of steps) {
    atMs += step.minutes * MINUTE;
    rules = step.rules ?? rules;
    if (step.health !== health) sinceMs = atMs;
    health = step.health;
    const opening = { id: `inc_${atMs}`, cause: null, regions: ['eu-west'], firstRunId: null };
    const slot = { atMs, health, healthSinceMs: sinceMs, opening, isMuted: step.isMuted ?? false };
    const verdict = nextAlerts(state, slot, rules);
    const acknowledgedId = state.silence?.incidentId ?? null;
    state = verdict.state;
    for (const due of verdict.due) sent.push({ ...due, atMs, acknowledgedId });
    if (verdict.changed !== null) incidents.push(verdict.changed);
    if (step.isAcknowledged === true) state = withSilence(state, acknowledgedIn(state));
  }
  return { sent, incidents, state, kinds: sent.map(({ kind }) => kind) };
}

/**
 * Returns the failures that a reader of these notifications believes to be open at the end. Throws if a notification
 * repeats an open failure, or ends a failure that no notification reported.
 */
function knownAfter(sent: readonly Sent[]): readonly Sent[] {
  const open: Sent[] = [];
  for (const alert of sent) {
    const known = open.map(({ kind }) => kind);
    if (alert.kind === 'failure') {
      expect(known).not.toContain('failure');
      open.push(alert);
    } else if (alert.kind === 'degraded') {
      expect(known).toEqual([]);
      open.push(alert);
    } else if (alert.kind === 'recovery') {
      const ended = alert.ends.map(() => open.pop());
      expect(ended.map((end) => end?.kind)).toEqual(alert.ends);
      expect(ended).not.toEqual([]);
      const places = alert.places.targets.map(({ key }) => key);
      const notified = ended.flatMap((end) => end?.places.targets ?? []);
      expect(places).toEqual(expect.arrayContaining(notified.map(({ key }) => key)));
      const failure = ended.find((end) => end?.kind === 'failure');
      expect(alert.incident?.id).toBe(failure?.incident?.id);
    } else if (alert.kind === 'reminder') {
      expect(known).toContain('failure');
      expect(alert.acknowledgedId).not.toBe(alert.incident?.id);
    }
  }
  return open;
}

test('a recovery during maintenance is sent after the maintenance', () => {
  const { sent } = play([
    { health: 'down', minutes: 1 },
    { health: 'up', minutes: 1, isMuted: true },
    { health: 'up', minutes: 1 },
  ]);
  expect(sent.map(({ kind, atMs, incident }) => ({ kind, atMs, id: incident?.id }))).toEqual([
    { kind: 'failure', atMs: MINUTE, id: 'inc_60000' },
    { kind: 'recovery', atMs: 3 * MINUTE, id: 'inc_60000' },
  ]);
});

test('the time of a reminder counts from the start of the outage, even after slots without a result', () => {
  const rules = { ...RULES, remindEveryMinutes: 5 };
  const { sent } = play(
    [
      { health: 'down', minutes: 1 },
      { health: 'unknown', minutes: 5 },
      { health: 'down', minutes: 5 },
    ],
    rules,
  );
  expect(sent.map(({ kind, sinceMs }) => ({ kind, sinceMs }))).toEqual([
    { kind: 'failure', sinceMs: MINUTE },
    { kind: 'reminder', sinceMs: MINUTE },
  ]);
});

test('state changes during maintenance do not delay the alert about a failure that follows the maintenance', () => {
  const restarts = [1, 2, 3].flatMap(() => [
    { health: 'down', minutes: 1, isMuted: true } as const,
    { health: 'up', minutes: 1, isMuted: true } as const,
  ]);
  const { kinds } = play([...restarts, { health: 'down', minutes: 1 }]);
  expect(kinds).toEqual(['failure']);
});

const step = fc.record({
  health: fc.constantFrom<Health>('up', 'degraded', 'down', 'unknown'),
  minutes: fc.integer({ min: 1, max: 40 }),
});
const stories = fc.array(step, { maxLength: 80 });

const lives = fc.array(
  fc.record({
    health: fc.constantFrom<Health>('up', 'degraded', 'down', 'unknown'),
    minutes: fc.integer({ min: 1, max: 40 }),
    isMuted: fc.boolean(),
    isAcknowledged: fc.boolean(),
    rules: fc.record({
      channels: fc.constant([]),
      targets: fc.subarray([webhookTarget('ops'), webhookTarget('duty'), webhookTarget('boss')]),
      onFailure: fc.boolean(),
      onRecovery: fc.constant(true),
      onDegraded: fc.boolean(),
      remindEveryMinutes: fc.constantFrom(null, 5, 30),
    }),
  }),
  { maxLength: 60 },
);
const LONG_AFTER = FLAPPING_MS / MINUTE + 1;

test('notifications of failures and recoveries form complete pairs once the check stays up', () => {
  fc.assert(
    fc.property(lives, (steps) => {
      const well = { health: 'up', minutes: LONG_AFTER, rules: RULES } as const;
      expect(knownAfter(play([...steps, well, well]).sent)).toEqual([]);
    }),
    propertyOptions(100),
  );
});

test('people are notified of every state that lasts, after any history', () => {
  fc.assert(
    fc.property(lives, fc.constantFrom('degraded', 'down'), (steps, health) => {
      const calm = { health, minutes: LONG_AFTER, rules: RULES } as const;
      const well = { ...calm, health: 'up' } as const;
      // Each state lasts two slots, because flapping ends only at the second slot.
      const known = knownAfter(play([...steps, well, well, calm, calm]).sent);
      expect(known.map(({ kind }) => kind)).toEqual([health === 'down' ? 'failure' : 'degraded']);
    }),
    propertyOptions(100),
  );
});

function healthOf(word: string): Health {
  const known = (['up', 'degraded', 'down'] as const).find((health) => health === word);
  if (known === undefined) throw new Error(`no health is called ${word}`);
  return known;
}

test.each([
  ['degraded up', ['degraded', 'recovery of degraded']],
  ['degraded down up', ['degraded', 'failure', 'recovery of failure, degraded']],
  ['down degraded up', ['failure', 'recovery of failure', 'degraded', 'recovery of degraded']],
  [
    'degraded down degraded up',
    ['degraded', 'failure', 'recovery of failure', 'recovery of degraded'],
  ],
] as const)('the health history “%s” sends %j', (life, expected) => {
  const steps = life.split(' ').map((health) => ({ health: healthOf(health), minutes: 11 }));
  const { sent } = play(steps);
  const words = sent.map(({ kind, ends }) =>
    ends.length === 0 ? kind : `${kind} of ${ends.join(', ')}`,
  );
  expect(words).toEqual(expected);
});

test('a recovery goes to the people notified of the failure, even if the alert rule has changed', () => {
  const others = { ...RULES, onFailure: false, targets: [webhookTarget('boss')] };
  const { sent } = play([
    { health: 'down', minutes: 1 },
    { health: 'down', minutes: 1, rules: others },
    { health: 'up', minutes: 1 },
  ]);
  expect(sent.map(({ kind, places }) => [kind, places.targets.map(({ key }) => key)])).toEqual([
    ['failure', ['ops']],
    ['recovery', ['ops']],
  ]);
});

test('an acknowledged incident sends nothing until it ends, and the next incident sends alerts again', () => {
  const down: Step = { health: 'down', minutes: 10 };
  const rules = { ...RULES, remindEveryMinutes: 10 };
  const { kinds } = play(
    [
      down,
      { ...down, isAcknowledged: true },
      down,
      down,
      { health: 'up', minutes: 10 },
      down,
      down,
    ],
    rules,
  );
  expect(kinds).toEqual(['failure', 'reminder', 'recovery', 'failure', 'reminder']);
});

test('if degraded alerts are off, alerts of failures and of recoveries alternate', () => {
  fc.assert(
    fc.property(stories, (steps) => {
      const { kinds } = play(steps, { ...RULES, onDegraded: false });
      const turns = kinds.filter((kind) => kind === 'failure' || kind === 'recovery');
      expect(turns).toEqual(
        turns.map((_kind, index) => (index % 2 === 0 ? 'failure' : 'recovery')),
      );
    }),
    propertyOptions(100),
  );
});

test('each incident closes before the next incident opens', () => {
  fc.assert(
    fc.property(stories, (steps) => {
      const { incidents } = play(steps);
      for (const [index, { id, closedAtMs }] of incidents.entries()) {
        expect(closedAtMs === null).toBe(index % 2 === 0);
        if (index % 2 === 1) expect(id).toBe(incidents[index - 1]?.id);
      }
    }),
    propertyOptions(100),
  );
});

test('in any 30 minutes, at most three alerts, one flapping notice and two alerts about long outages are sent', () => {
  const restless = fc.array(
    fc.record({
      health: fc.constantFrom<Health>('up', 'down'),
      minutes: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 120 },
  );
  fc.assert(
    fc.property(restless, (steps) => {
      const rules = { ...RULES, onDegraded: false, remindEveryMinutes: null };
      const { sent } = play(steps, rules);
      for (const { atMs } of sent) {
        const within = sent.filter(
          (other) => other.atMs > atMs - FLAPPING_MS && other.atMs <= atMs,
        );
        const stays = within.filter(({ staysDown }) => staysDown === true);
        expect(stays.length).toBeLessThanOrEqual(2);
        const notices = within.filter(({ kind }) => kind === 'flapping');
        expect(notices.length).toBeLessThanOrEqual(1);
        expect(within.length - notices.length - stays.length).toBeLessThanOrEqual(3);
      }
    }),
    propertyOptions(100),
  );
});

test('processing the same slot twice sends no further alerts', () => {
  fc.assert(
    fc.property(stories, (steps) => {
      const twice = steps.flatMap((one) => [one, { ...one, minutes: 0 }]);
      expect(play(twice).kinds).toEqual(play(steps).kinds);
    }),
    propertyOptions(100),
  );
});

test('after flapping, people are notified only if the state differs from the last state they were notified of', () => {
  const flaps: Step[] = Array.from({ length: 5 }, (_, index) => ({
    health: index % 2 === 0 ? 'down' : 'up',
    minutes: 2,
  }));
  const { kinds } = play([{ health: 'up', minutes: 1 }, ...flaps, { health: 'down', minutes: 31 }]);
  expect(kinds).toEqual(['failure', 'recovery', 'failure', 'flapping']);
  const back = play([
    { health: 'up', minutes: 1 },
    ...flaps,
    { health: 'up', minutes: 2 },
    { health: 'up', minutes: 31 },
  ]);
  expect(back.kinds).toEqual(['failure', 'recovery', 'failure', 'flapping', 'recovery']);
});

test('a failure that begins during maintenance is sent afterwards only if it still lasts', () => {
  const muted = { isMuted: true } as const;
  const over = play([
    { health: 'up', minutes: 1 },
    { health: 'down', minutes: 1, ...muted },
    { health: 'up', minutes: 5, ...muted },
    { health: 'up', minutes: 5 },
  ]);
  expect(over.kinds).toEqual([]);
  expect(over.incidents).toHaveLength(2);
  const still = play([
    { health: 'down', minutes: 1, ...muted },
    { health: 'down', minutes: 5 },
  ]);
  expect(still.kinds).toEqual(['failure']);
});

test('reminders repeat during an outage and stop when it ends', () => {
  const down: Step[] = Array.from({ length: 7 }, () => ({ health: 'down', minutes: 10 }));
  const rules = { ...RULES, remindEveryMinutes: 30 };
  const { sent } = play(
    [...down, { health: 'up', minutes: 10 }, { health: 'up', minutes: 60 }],
    rules,
  );
  expect(sent.map(({ kind, atMs }) => [kind, atMs / MINUTE])).toEqual([
    ['failure', 10],
    ['reminder', 40],
    ['reminder', 70],
    ['recovery', 80],
  ]);
});

test('a recovery is sent only if its failure was sent', () => {
  const steps: Step[] = [
    { health: 'down', minutes: 1 },
    { health: 'up', minutes: 1 },
  ];
  expect(play(steps, { ...RULES, onFailure: false }).kinds).toEqual([]);
  expect(play(steps, { ...RULES, onRecovery: false }).kinds).toEqual(['failure']);
});
