/**
 * Tests the explanations for random histories. They combine dependencies, alert policies with steps, repeats and quiet
 * hours, acknowledgements, snoozes, maintenance, and edits of the rules.
 */
import fc from 'fast-check';
import type { AlertRules, AlertState, IncidentSilence } from '../../../src/contracts/alerts';
import type { HealthReport } from '../../../src/contracts/dependencies';
import type { EscalationPlan, EscalationState } from '../../../src/contracts/escalation';
import type { Health, IncidentRecord } from '../../../src/contracts/records';
import {
  type AlertSlot,
  type AlertVerdict,
  type DueAlert,
  NO_ALERTS,
  snoozeEndMs,
  withSilence,
  withSnoozeOver,
} from '../../../src/domain/alerting/alert-policy';
import { withResponse, withSnoozeEnded } from '../../../src/domain/alerting/escalation';
import {
  beginEscalation,
  isDue,
  notifyDue,
  withHold,
} from '../../../src/domain/alerting/escalation-course';
import { explainEscalation, findNotice } from '../../../src/domain/alerting/explain-escalation';
import {
  type ExplainedDelivery,
  explainIncident,
  wasNotified,
} from '../../../src/domain/alerting/explain-incident';
import {
  judgeReports,
  nextHeldAlerts,
  releaseHeld,
  withExplanation,
} from '../../../src/domain/alerting/held-alerts';
import { buildAlert } from '../../support/alert-message';
import { propertyOptions } from '../../support/property-runs';

const MINUTE = 60_000;
const RULES: AlertRules = {
  channels: ['default'],
  targets: [],
  onFailure: true,
  onRecovery: true,
  onDegraded: false,
  remindEveryMinutes: null,
};

type Act = { readonly kind: 'acknowledge' | 'undo' | 'snooze'; readonly minutes: number };

const anyStep = fc.record({
  health: fc.constantFrom<Health>('up', 'down', 'down', 'down', 'degraded', 'unknown'),
  minutes: fc.integer({ min: 1, max: 20 }),
  isMuted: fc.constantFrom(false, false, false, true),
  rules: fc.constantFrom<Partial<AlertRules>>(
    {},
    { policy: 'p' },
    { policy: 'p' },
    { policy: 'p', channels: [] },
    { channels: [] },
    { onFailure: false },
    { remindEveryMinutes: 30 },
  ),
  dependsOn: fc.boolean(),
  parent: fc.constantFrom<HealthReport['standing']>(
    'up',
    'up',
    'down',
    'pending',
    'gone',
    'paused',
  ),
  act: fc.option(
    fc.record({
      kind: fc.constantFrom<Act['kind']>('acknowledge', 'undo', 'snooze'),
      minutes: fc.integer({ min: 5, max: 40 }),
    }),
  ),
});
const anyLife = fc.record({
  steps: fc.array(anyStep, { maxLength: 30 }),
  plan: fc.array(
    fc.record({
      wait: fc.integer({ min: 1, max: 30 }),
      until: fc.constantFrom('acknowledged' as const, 'recovered' as const),
      repeat: fc.option(fc.record({ everyMinutes: fc.constant(5), times: fc.constant(2) })),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  quiet: fc.array(
    fc.record({ from: fc.integer({ min: 0, max: 250 }), length: fc.integer({ min: 1, max: 60 }) }),
    { maxLength: 3 },
  ),
});
type Life = typeof anyLife extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Life['steps'][number];

interface Escalation {
  state: EscalationState;
  /** The number of notifications that the steps of the escalation have sent. */
  sent: number;
  endedAtMs: number | null;
}

/** Simulates one monitor with its workflow, the workflows of its escalations, and the database. */
class World {
  alerts: AlertState = NO_ALERTS;
  nowMs = 0;
  health: Health = 'pending';
  sinceMs = 0;
  step: Step | null = null;
  readonly incidents = new Map<string, IncidentRecord>();
  readonly escalations = new Map<string, Escalation>();
  /** Incidents for which a failure, a reminder or a flapping notice was sent to the channels of the rules. */
  readonly direct = new Set<string>();
  readonly reminded = new Set<string>();
  /** The kind of each alert that was due. */
  readonly due: DueAlert['kind'][] = [];
  private sequence = 0;

  constructor(private readonly life: Life) {}

  quietEndMs(atMs: number): number | null {
    const within = this.life.quiet.filter(
      ({ from, length }) => from * MINUTE <= atMs && atMs < (from + length) * MINUTE,
    );
    const ends = within.map(({ from, length }) => (from + length) * MINUTE);
    return ends.length === 0 ? null : Math.max(...ends);
  }

  pass(step: Step): void {
    const endMs = this.nowMs + step.minutes * MINUTE;
    for (this.nowMs += MINUTE; this.nowMs < endMs; this.nowMs += MINUTE) this.minute();
    this.step = step;
    this.minute();
    if (step.act !== null) this.respond(step.act);
    if (step.health !== this.health) [this.health, this.sinceMs] = [step.health, this.nowMs];
    this.decide(step);
    this.minute();
  }

  /** Ends snoozes and sends the due notifications of escalations. */
  private minute(): void {
    const endMs = snoozeEndMs(this.alerts);
    if (endMs !== null && endMs <= this.nowMs && this.step !== null) {
      this.alerts = withSnoozeOver(this.alerts);
      this.decide(this.step);
    }
    for (const [id, escalation] of this.escalations) this.live(id, escalation);
  }

  private live(id: string, escalation: Escalation): void {
    if (escalation.state.isOver) return;
    escalation.state = withSnoozeEnded(escalation.state, this.nowMs);
    if (!isDue(escalation.state, this.nowMs)) return;
    if (this.alerts.incident?.id !== id) this.end(escalation);
    else if (this.step?.isMuted === true)
      escalation.state = withHold(escalation.state, 'paused', this.nowMs);
    else if (this.quietEndMs(this.nowMs) !== null)
      escalation.state = withHold(escalation.state, 'quiet', this.nowMs);
    else {
      const turn = notifyDue(escalation.state, this.nowMs);
      escalation.state = turn.state;
      escalation.sent += new Set(
        turn.notifications.map(({ step, round }) => `${step} ${round}`),
      ).size;
    }
  }

  private end(escalation: Escalation): void {
    escalation.state = { ...escalation.state, isOver: true };
    escalation.endedAtMs ??= this.nowMs;
  }

  private respond({ kind, minutes }: Act): void {
    const { incident } = this.alerts;
    if (incident === null) return;
    this.sequence += 1;
    const silence: IncidentSilence = {
      incidentId: incident.id,
      sequence: this.sequence,
      isAcknowledged: kind === 'acknowledge',
      snoozedUntilMs: kind === 'snooze' ? this.nowMs + minutes * MINUTE : null,
    };
    this.alerts = withSilence(this.alerts, silence);
    const escalation = this.escalations.get(incident.id);
    if (escalation !== undefined)
      escalation.state = withResponse(escalation.state, silence, this.nowMs);
  }

  private decide(step: Step): void {
    const { nowMs: atMs, health } = this;
    const opening = { id: `inc_${atMs}`, cause: null, regions: [], firstRunId: null };
    const slot = { atMs, health, healthSinceMs: this.sinceMs, opening, isMuted: step.isMuted };
    const rules = { ...RULES, ...step.rules };
    const dependsOn = step.dependsOn ? ['p'] : [];
    const verdict = nextHeldAlerts(this.alerts, slot, { rules, dependsOn });
    this.take(verdict, rules);
    if (verdict.mustAsk) this.ask(step, slot, rules);
  }

  private ask(step: Step, slot: AlertSlot, rules: AlertRules): void {
    const parent = { kind: 'monitor', id: 'p', name: 'P', incidentId: null } as const;
    const { parent: standing } = step;
    const okSinceMs = standing === 'up' ? 0 : null;
    const report = { ...parent, standing, checkedAtMs: slot.atMs, okSinceMs, explainedBy: [] };
    const isExplained = this.alerts.hold?.explainedBy != null;
    const held = { id: 'c', failedAtMs: slot.atMs, beganAtMs: slot.atMs, isExplained };
    if (judgeReports(held, [report]).kind === 'explained') {
      const by = { ...parent, atMs: slot.atMs, untilMs: null };
      this.take({ state: withExplanation(this.alerts, by), changed: null, due: [] }, rules);
    } else this.take(releaseHeld(this.alerts, slot, rules), rules);
  }

  private take({ state, changed, due }: AlertVerdict, rules: AlertRules): void {
    this.alerts = state;
    for (const incident of [changed, state.incident])
      if (incident !== null) this.incidents.set(incident.id, incident);
    for (const one of due) {
      this.due.push(one.kind);
      this.send(one, rules);
    }
  }

  /** Sends an alert as its workflow does. */
  private send({ kind, incident }: DueAlert, { policy = null }: AlertRules): void {
    if (incident === null) return;
    const begun = this.escalations.get(incident.id);
    if (kind === 'flapping') this.direct.add(incident.id);
    else if (kind === 'recovery') {
      if (begun !== undefined) this.end(begun);
    } else if (begun === undefined && policy !== null && kind !== 'degraded') {
      const alert = buildAlert({ kind, incidentId: incident.id, atMs: this.nowMs });
      const state = beginEscalation(alert, this.plan(), this.nowMs);
      this.escalations.set(incident.id, { state, sent: 0, endedAtMs: null });
    } else if (begun === undefined && kind !== 'degraded') {
      this.direct.add(incident.id);
      if (kind === 'reminder') this.reminded.add(incident.id);
    }
  }

  private plan(): EscalationPlan {
    let afterMinutes = -1;
    const steps = this.life.plan.map(({ wait, until, repeat }) => {
      afterMinutes += wait;
      const contacts = [{ id: 'ann', recipients: { channels: [], targets: [] } }];
      return { afterMinutes, until, repeat, contacts };
    });
    return { policyName: 'p', steps, quietHours: null, lastResort: null, route: null };
  }
}

function play(life: Life): World {
  const world = new World(life);
  for (const step of life.steps) world.pass(step);
  return world;
}

const REMINDER: ExplainedDelivery = {
  kind: 'reminder',
  recipient: 'ann',
  status: 'sent',
  createdAtMs: 0,
  sentAtMs: 0,
  attempts: [],
};

function explain(world: World, incident: IncidentRecord) {
  const escalation = world.escalations.get(incident.id);
  const told =
    escalation === undefined
      ? []
      : explainEscalation({
          state: escalation.state,
          standing: escalation.state.isOver ? 'over' : 'open',
          nowMs: world.nowMs,
          quietEndMs: (atMs) => world.quietEndMs(atMs),
          findName: (id) => id,
          endedAtMs: escalation.endedAtMs,
        });
  const deliveries = world.reminded.has(incident.id) ? [REMINDER] : [];
  const own = { ...incident, answers: [], deliveries };
  const sentences = explainIncident({
    ...own,
    ...(escalation !== undefined && { escalation: told }),
  });
  const notice = escalation === undefined ? 'none' : findNotice(escalation.state);
  return { isNotified: wasNotified(own, notice), sentences };
}

test('an explanation says that people were notified exactly if something was sent about the incident', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const world = play(life);
      for (const incident of world.incidents.values()) {
        const { isNotified, sentences } = explain(world, incident);
        const sent = world.escalations.get(incident.id)?.sent ?? 0;
        const isSent = world.direct.has(incident.id) || sent > 0;
        expect({ id: incident.id, isNotified }).toEqual({ id: incident.id, isNotified: isSent });
        const steps = sentences.filter(({ text }) => /^Step \d+ (began|was repeated)/.test(text));
        expect(steps).toHaveLength(sent);
        const times = sentences.map(({ atMs }) => atMs);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        // There is at least one sentence about the start, and one about why people were or were not notified.
        expect(sentences.length).toBeGreaterThanOrEqual(2);
      }
    }),
    propertyOptions(500),
  );
});

test('the random histories include incidents notified by channels, by escalation steps, by both and by neither', () => {
  const seen = new Set<string>();
  for (const life of fc.sample(anyLife, { numRuns: 500, seed: 20_261 })) {
    const world = play(life);
    for (const incident of world.incidents.values()) {
      const escalation = world.escalations.get(incident.id);
      const isDirect = world.direct.has(incident.id);
      seen.add(`${isDirect} ${escalation === undefined ? 'none' : escalation.sent > 0}`);
      if (incident.explainedBy !== undefined && escalation !== undefined)
        seen.add('explained, too');
    }
  }
  expect([...seen].toSorted()).toEqual(
    [
      'explained, too',
      'false false',
      'false none',
      'false true',
      'true false',
      'true none',
      'true true',
    ].toSorted(),
  );
});

/** Runs a history without a policy, with one minute between checks. */
function playMinutes(...steps: readonly (readonly [Health, HealthReport['standing']])[]): World {
  const base = { minutes: 1, isMuted: false, rules: {}, dependsOn: true, act: null } as const;
  const all = steps.map(([health, parent]) => ({ ...base, health, parent }));
  return play({ steps: all, plan: [], quiet: [] });
}

test('the explanation of a failure without recipients says that none are set up, not that an alert was queued', () => {
  const world = playMinutes(['down', 'up'], ['down', 'up']);
  const [incident] = world.incidents.values();
  if (incident === undefined) throw new Error('there is no incident');
  expect(explain(world, incident).sentences.at(-1)?.text).toBe(
    'A failure alert was due, but no channel or email address is set up to receive it.',
  );
});

test('a failure sends an alert unless the failure of a dependency explains it', () => {
  expect(playMinutes(['up', 'up'], ['down', 'down'], ['down', 'down'], ['up', 'up']).due).toEqual(
    [],
  );
  expect(playMinutes(['up', 'up'], ['down', 'up'], ['down', 'up'], ['up', 'up']).due).toEqual([
    'failure',
    'recovery',
  ]);
  for (const parent of ['up', 'gone', 'paused', 'pending'] as const)
    expect(playMinutes(['up', 'up'], ['down', 'down'], ['down', parent], ['up', 'up']).due).toEqual(
      ['failure', 'recovery'],
    );
});

test('a check that goes down and recovers with its dependency is not flapping', () => {
  const turns = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'down' : 'up'));
  expect(playMinutes(...turns.map((health) => [health, 'down'] as const)).due).toEqual([]);
  expect(playMinutes(...turns.map((health) => [health, 'up'] as const)).due).toContain('flapping');
});
