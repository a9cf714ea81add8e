/** What people are owed: alternating, never without the failure, and never too often. */
import fc from 'fast-check';
import type { AlertState } from '../../src/contracts/alerts';
import type { Health } from '../../src/contracts/records';
import { FLAPPING_MS, nextAlerts, QUIET_ALERTS } from '../../src/domain/alert-policy';

const MINUTE = 60_000;
const RULES = { onFailure: true, onRecovery: true, onDegraded: true, remindEveryMinutes: null };

interface Step {
  readonly health: Health;
  readonly minutes: number;
  readonly isMuted?: boolean;
}

/** Plays the steps; what was owed after each, with its time. */
function play(steps: readonly Step[], rules: Parameters<typeof nextAlerts>[2] = RULES) {
  let state: AlertState = QUIET_ALERTS;
  let atMs = 0;
  let health: Health = 'pending';
  let sinceMs = 0;
  const owed: { readonly kind: string; readonly atMs: number; readonly incident: string | null }[] =
    [];
  const incidents: { readonly id: string; readonly closedAtMs: number | null }[] = [];
  for (const step of steps) {
    atMs += step.minutes * MINUTE;
    if (step.health !== health) sinceMs = atMs;
    health = step.health;
    const opening = { id: `inc_${atMs}`, cause: null, regions: ['eu-west'], firstRunId: null };
    const slot = { atMs, health, healthSinceMs: sinceMs, opening, isMuted: step.isMuted ?? false };
    const verdict = nextAlerts(state, slot, rules);
    state = verdict.state;
    for (const kind of verdict.owed) owed.push({ kind, atMs, incident: verdict.about?.id ?? null });
    if (verdict.changed !== null) incidents.push(verdict.changed);
  }
  return { owed, incidents, state, kinds: owed.map(({ kind }) => kind) };
}

test('the end of an incident that nobody was told of for maintenance is told afterwards, with it', () => {
  const { owed } = play([
    { health: 'down', minutes: 1 },
    { health: 'up', minutes: 1, isMuted: true },
    { health: 'up', minutes: 1 },
  ]);
  expect(owed).toEqual([
    { kind: 'failure', atMs: MINUTE, incident: 'inc_60000' },
    { kind: 'recovery', atMs: 3 * MINUTE, incident: 'inc_60000' },
  ]);
});

test('ups and downs of a maintenance do not make the failure after it wait', () => {
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

test('failure and recovery alternate, and begin with a failure', () => {
  fc.assert(
    fc.property(stories, (steps) => {
      const { kinds } = play(steps);
      const turns = kinds.filter((kind) => kind === 'failure' || kind === 'recovery');
      expect(turns).toEqual(
        turns.map((_kind, index) => (index % 2 === 0 ? 'failure' : 'recovery')),
      );
    }),
  );
});

test('incidents open and close in turn, each closed one after it was opened', () => {
  fc.assert(
    fc.property(stories, (steps) => {
      const { incidents } = play(steps);
      for (const [index, { id, closedAtMs }] of incidents.entries()) {
        expect(closedAtMs === null).toBe(index % 2 === 0);
        if (index % 2 === 1) expect(id).toBe(incidents[index - 1]?.id);
      }
    }),
  );
});

test('within any 30 minutes there are at most three alerts and one notice of flapping', () => {
  const restless = fc.array(
    fc.record({
      health: fc.constantFrom<Health>('up', 'down'),
      minutes: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 120 },
  );
  fc.assert(
    fc.property(restless, (steps) => {
      const { owed } = play(steps, { ...RULES, onDegraded: false });
      for (const { atMs } of owed) {
        const within = owed.filter(
          (other) => other.atMs > atMs - FLAPPING_MS && other.atMs <= atMs,
        );
        const notices = within.filter(({ kind }) => kind === 'flapping');
        expect(notices.length).toBeLessThanOrEqual(1);
        expect(within.length - notices.length).toBeLessThanOrEqual(3);
      }
    }),
  );
});

test('a slot that is settled again owes nothing more', () => {
  fc.assert(
    fc.property(stories, (steps) => {
      const twice = steps.flatMap((one) => [one, { ...one, minutes: 0 }]);
      expect(play(twice).kinds).toEqual(play(steps).kinds);
    }),
  );
});

test('after flapping people are told what is so, if they know otherwise', () => {
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

test('what happens while it is muted is told only if it is still so afterwards', () => {
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

test('reminders repeat while it is down, and stop with it', () => {
  const down: Step[] = Array.from({ length: 7 }, () => ({ health: 'down', minutes: 10 }));
  const rules = { ...RULES, remindEveryMinutes: 30 };
  const { owed } = play(
    [...down, { health: 'up', minutes: 10 }, { health: 'up', minutes: 60 }],
    rules,
  );
  expect(owed.map(({ kind, atMs }) => [kind, atMs / MINUTE])).toEqual([
    ['failure', 10],
    ['reminder', 40],
    ['reminder', 70],
    ['recovery', 80],
  ]);
});

test('a recovery is not sent where the failure was not', () => {
  const steps: Step[] = [
    { health: 'down', minutes: 1 },
    { health: 'up', minutes: 1 },
  ];
  expect(play(steps, { ...RULES, onFailure: false }).kinds).toEqual([]);
  expect(play(steps, { ...RULES, onRecovery: false }).kinds).toEqual(['failure']);
});
