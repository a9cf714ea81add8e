/** Why people were notified: what is explained is what was sent, whatever happened. */
import fc from 'fast-check';
import type { AlertRules, AlertState } from '../../../src/contracts/alerts';
import type { HealthReport } from '../../../src/contracts/dependencies';
import type { Health, IncidentRecord } from '../../../src/contracts/records';
import { QUIET_ALERTS } from '../../../src/domain/alerting/alert-policy';
import { explainIncident, wasNotified } from '../../../src/domain/alerting/explain-incident';
import {
  judgeReports,
  nextHeldAlerts,
  releaseHeld,
  withExplanation,
} from '../../../src/domain/alerting/held-alerts';

const MINUTE = 60_000;
const RULES: AlertRules = {
  channels: ['default'],
  targets: [],
  onFailure: true,
  onRecovery: true,
  onDegraded: false,
  remindEveryMinutes: null,
};

type Answer = 'up' | 'down' | 'pending' | 'gone' | 'paused';

interface Step {
  readonly health: Health;
  readonly minutes: number;
  readonly isMuted: boolean;
  readonly rules: Partial<AlertRules>;
  readonly dependsOn: boolean;
  /** How what it depends on answers. */
  readonly answer: Answer;
}

function report(standing: Answer, atMs: number): HealthReport {
  const okSinceMs = standing === 'up' ? 0 : null;
  const known = { kind: 'monitor', id: 'p', name: 'P', incidentId: null, explainedBy: [] } as const;
  return { ...known, standing, checkedAtMs: atMs, okSinceMs };
}

/** Plays a life; the incidents as they were recorded last, and the alerts that were due. */
function play(steps: readonly Step[]) {
  let state: AlertState = QUIET_ALERTS;
  let atMs = 0;
  let [health, sinceMs]: [Health, number] = ['pending', 0];
  const incidents = new Map<string, IncidentRecord>();
  const due: { readonly kind: string; readonly incidentId: string | undefined }[] = [];
  for (const step of steps) {
    atMs += step.minutes * MINUTE;
    if (step.health !== health) [health, sinceMs] = [step.health, atMs];
    const opening = { id: `inc_${atMs}`, cause: null, regions: [], firstRunId: null };
    const slot = { atMs, health, healthSinceMs: sinceMs, opening, isMuted: step.isMuted };
    const rules = { ...RULES, ...step.rules };
    const take = (verdict: ReturnType<typeof releaseHeld>): void => {
      ({ state } = verdict);
      if (verdict.changed !== null) incidents.set(verdict.changed.id, verdict.changed);
      if (state.incident !== null) incidents.set(state.incident.id, state.incident);
      due.push(...verdict.due.map(({ kind, incident }) => ({ kind, incidentId: incident?.id })));
    };
    const verdict = nextHeldAlerts(state, slot, { rules, dependsOn: step.dependsOn ? ['p'] : [] });
    take(verdict);
    if (!verdict.mustAsk) continue;
    const isExplained = state.hold?.explainedBy != null;
    const held = { id: 'c', failedAtMs: atMs, beganAtMs: atMs, isExplained };
    const judged = judgeReports(held, [report(step.answer, atMs)]);
    const by = {
      kind: 'monitor',
      id: 'p',
      name: 'P',
      incidentId: null,
      atMs,
      untilMs: null,
    } as const;
    if (judged.kind === 'explained')
      take({ state: withExplanation(state, by), changed: null, due: [] });
    else take(releaseHeld(state, slot, rules));
  }
  return { incidents: [...incidents.values()], due };
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  health: fc.constantFrom<Health>('up', 'down', 'down', 'degraded', 'unknown'),
  minutes: fc.integer({ min: 1, max: 20 }),
  isMuted: fc.boolean(),
  rules: fc.constantFrom<Partial<AlertRules>>({}, {}, {}, { onFailure: false }, { channels: [] }),
  dependsOn: fc.boolean(),
  answer: fc.constantFrom<Answer>('up', 'down', 'pending', 'gone', 'paused'),
});

test('explains an incident as notified exactly when an alert of it was due', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const { incidents, due } = play(steps);
      for (const incident of incidents) {
        const isDue = due.some(
          ({ kind, incidentId }) =>
            incidentId === incident.id && (kind === 'failure' || kind === 'flapping'),
        );
        expect({ id: incident.id, isNotified: wasNotified(incident) }).toEqual({
          id: incident.id,
          isNotified: isDue,
        });
        const told = explainIncident({ ...incident, answers: [], deliveries: [] });
        expect(told.map(({ atMs }) => atMs)).toEqual(
          told.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
        );
        expect(told.length).toBeGreaterThanOrEqual(2);
      }
    }),
    { numRuns: 500 },
  );
});

test('sends one alert for a failure that nothing explains, and none for one that is explained', () => {
  const base = { minutes: 1, isMuted: false, rules: {}, dependsOn: true } as const;
  const life = (...all: readonly [Health, Answer][]) =>
    play(all.map(([health, answer]) => ({ ...base, health, answer }))).due.map(({ kind }) => kind);
  expect(life(['up', 'up'], ['down', 'down'], ['down', 'down'], ['up', 'up'])).toEqual([]);
  expect(life(['up', 'up'], ['down', 'up'], ['down', 'up'], ['up', 'up'])).toEqual([
    'failure',
    'recovery',
  ]);
  for (const answer of ['up', 'gone', 'paused', 'pending'] as const)
    expect(life(['up', 'up'], ['down', 'down'], ['down', answer], ['up', 'up'])).toEqual([
      'failure',
      'recovery',
    ]);
});

test('a child that goes down and comes back with what it depends on is no flapping', () => {
  const base = { minutes: 1, isMuted: false, rules: {}, dependsOn: true } as const;
  const steps = Array.from({ length: 10 }, (_, index) => ({
    ...base,
    health: index % 2 === 0 ? ('down' as const) : ('up' as const),
    answer: 'down' as const,
  }));
  expect(play(steps).due).toEqual([]);
  const own = steps.map((step) => ({ ...step, answer: 'up' as const }));
  expect(play(own).due.map(({ kind }) => kind)).toContain('flapping');
});
