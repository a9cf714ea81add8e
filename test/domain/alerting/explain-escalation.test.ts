/** Tests that the explanation of an escalation matches what the escalation did, and what it will do. */
import fc from 'fast-check';
import type { AlertMessage } from '../../../src/contracts/alerts';
import type {
  EscalationState,
  EscalationStatus,
  EscalationStep,
} from '../../../src/contracts/escalation';
import { withResponse, withSnoozeEnded } from '../../../src/domain/alerting/escalation';
import {
  beginEscalation,
  isDue,
  notifyDue,
  withHold,
} from '../../../src/domain/alerting/escalation-course';
import { explainEscalation, explainMoments } from '../../../src/domain/alerting/explain-escalation';
import { buildAlert } from '../../support/alert-message';
import { propertyOptions } from '../../support/property-runs';

const MINUTE = 60_000;
const HOLD_MINUTES = 2;
const ALERT: AlertMessage = buildAlert();
const contact = (id: string) => ({ id, recipients: { channels: [], targets: [] } });

/** An action of a person in a given minute. */
type Act =
  | { readonly kind: 'acknowledge' | 'undo' | 'pause' | 'resume' }
  | { readonly kind: 'snooze'; readonly minutes: number };

interface World {
  state: EscalationState;
  standing: EscalationStatus['state'];
  /** For each notification: its minute, step and round name. */
  readonly sent: { readonly minute: number; readonly step: number; readonly round: string }[];
  sequence: number;
  heldUntil: number;
}

type Quiet = readonly { readonly from: number; readonly to: number }[];

const quietEnd =
  (quiet: Quiet) =>
  (atMs: number): number | null => {
    const ends = quiet.filter(({ from, to }) => from * MINUTE <= atMs && atMs < to * MINUTE);
    return ends.length === 0 ? null : Math.max(...ends.map(({ to }) => to)) * MINUTE;
  };

/** Simulates one minute of the escalation as its workflow runs it. */
function live(world: World, minute: number, quiet: Quiet): void {
  const nowMs = minute * MINUTE;
  world.state = withSnoozeEnded(world.state, nowMs);
  if (!isDue(world.state, nowMs) || minute < world.heldUntil) return;
  if (world.standing === 'hold') {
    world.state = withHold(world.state, 'paused', nowMs);
    world.heldUntil = minute + HOLD_MINUTES;
    return;
  }
  if (quietEnd(quiet)(nowMs) !== null) {
    world.state = withHold(world.state, 'quiet', nowMs);
    return;
  }
  const turn = notifyDue(world.state, nowMs);
  world.state = turn.state;
  const steps = new Map(turn.notifications.map(({ step, round }) => [step, round]));
  for (const [step, round] of steps) world.sent.push({ minute, step, round });
}

function act(world: World, minute: number, done: Act): void {
  // Every action of a person wakes the workflow.
  world.heldUntil = 0;
  if (done.kind === 'pause' || done.kind === 'resume') {
    world.standing = done.kind === 'pause' ? 'hold' : 'open';
    return;
  }
  world.sequence += 1;
  const silence = {
    incidentId: 'inc_1',
    sequence: world.sequence,
    isAcknowledged: done.kind === 'acknowledge',
    snoozedUntilMs: done.kind === 'snooze' ? (minute + done.minutes) * MINUTE : null,
  };
  world.state = withResponse(world.state, silence, minute * MINUTE);
}

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  fc.constantFrom<Act>(
    { kind: 'acknowledge' },
    { kind: 'undo' },
    { kind: 'pause' },
    { kind: 'resume' },
  ),
  fc.record({ kind: fc.constant('snooze' as const), minutes: fc.integer({ min: 5, max: 60 }) }),
);
const anyStep = fc.record({
  wait: fc.integer({ min: 1, max: 40 }),
  names: fc.subarray(['ann', 'bob', 'cho']),
  until: fc.constantFrom('acknowledged' as const, 'recovered' as const),
  repeat: fc.option(
    fc.record({
      everyMinutes: fc.integer({ min: 5, max: 15 }),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  ),
});
const anyLife = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 4 }),
  quiet: fc.array(
    fc
      .record({ from: fc.integer({ min: 0, max: 150 }), length: fc.integer({ min: 1, max: 40 }) })
      .map(({ from, length }) => ({ from, to: from + length })),
    { maxLength: 2 },
  ),
  acts: fc.array(fc.record({ minute: fc.integer({ min: 0, max: 199 }), done: anyAct }), {
    maxLength: 8,
  }),
  end: fc.integer({ min: 0, max: 200 }),
});
type Life = typeof anyLife extends fc.Arbitrary<infer Value> ? Value : never;

function play({ steps, quiet, acts, end }: Life): World {
  let afterMinutes = -1;
  const plan: readonly EscalationStep[] = steps.map(({ wait, names, until, repeat }) => {
    afterMinutes += wait;
    return { afterMinutes, until, repeat, contacts: names.map(contact) };
  });
  const policy = { policyName: 'p', steps: plan, quietHours: null, lastResort: null, route: 2 };
  const world: World = {
    state: beginEscalation(ALERT, policy, 0),
    standing: 'open',
    sent: [],
    sequence: 0,
    heldUntil: 0,
  };
  for (let minute = 0; minute <= end; minute += 1) {
    for (const { done } of acts.filter((one) => one.minute === minute)) act(world, minute, done);
    live(world, minute, quiet);
  }
  return world;
}

const viewOf = (world: World, { quiet, end }: Life) => ({
  state: world.state,
  standing: world.standing,
  nowMs: end * MINUTE,
  quietEndMs: quietEnd(quiet),
});

test('an explanation lists exactly the sent notifications of an escalation as sent, each with its own time', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const world = play(life);
      const told = explainMoments(viewOf(world, life)).flatMap(({ state, atMs, step, round }) =>
        state === 'sent' ? [{ minute: (atMs ?? 0) / MINUTE, step, round: `${round}` }] : [],
      );
      const sent = world.sent.filter(({ round }) => !round.startsWith('again'));
      const inOrder = (all: typeof told) =>
        all.toSorted((a, b) => a.minute - b.minute || a.step - b.step);
      expect(inOrder(told)).toEqual(inOrder(sent));
      const sentences = explainEscalation({
        ...viewOf(world, life),
        findName: (id) => id,
        endedAtMs: null,
      });
      const past = sentences.filter(({ text }) => / (began|was repeated)/.test(text));
      expect(past.map(({ atMs }) => atMs / MINUTE)).toEqual(world.sent.map(({ minute }) => minute));
    }),
    propertyOptions(60),
  );
});

test('an explanation lists as planned exactly the notifications that are sent later if no one responds', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const world = play(life);
      const { end, quiet } = life;
      const moments = explainMoments(viewOf(world, life));
      if (world.standing === 'hold') {
        expect(moments.filter(({ state }) => state === 'planned')).toEqual([]);
        return;
      }
      world.heldUntil = 0;
      const before = world.sent.length;
      for (let minute = end + 1; minute <= end + 400; minute += 1) live(world, minute, quiet);
      const after = world.sent.slice(before).filter(({ round }) => !round.startsWith('again'));
      const planned = moments.flatMap(({ state, atMs, step, round }) =>
        state === 'planned'
          ? [{ minute: Math.max(end + 1, (atMs ?? 0) / MINUTE), step, round: `${round}` }]
          : [],
      );
      expect(planned.toSorted((a, b) => a.minute - b.minute || a.step - b.step)).toEqual(
        after.toSorted((a, b) => a.minute - b.minute || a.step - b.step),
      );
      for (const { state, reason } of moments)
        expect(reason === null).toBe(state !== 'waiting' && state !== 'skipped');
    }),
    propertyOptions(60),
  );
});

test('the explanation of an escalation names who was notified and what will follow', () => {
  const step = (afterMinutes: number, names: readonly string[]): EscalationStep => ({
    afterMinutes,
    until: 'acknowledged',
    repeat: null,
    contacts: names.map(contact),
  });
  const policy = {
    policyName: 'On call',
    steps: [step(0, ['ann']), step(10, ['bob', 'ann']), step(30, [])],
    quietHours: null,
    lastResort: 'pager',
    route: 2,
  };
  let { state } = notifyDue(beginEscalation(ALERT, policy, 0), 0);
  state = withHold(withHold(state, 'quiet', 10 * MINUTE), 'quiet', 11 * MINUTE);
  const told = (changes: object, endedAtMs: number | null = null) =>
    explainEscalation({
      state,
      standing: 'open',
      nowMs: 12 * MINUTE,
      quietEndMs: (atMs) => (atMs < 20 * MINUTE ? 20 * MINUTE : null),
      findName: (id) => id.toUpperCase(),
      endedAtMs,
      ...changes,
    }).map(({ atMs, text }) => `${atMs / MINUTE}: ${text}`);
  const past = [
    '0: Escalated by the alert policy “On call” (chosen by route 2).',
    '0: Step 1 began: ANN.',
    '10: Held back: quiet hours.',
  ];
  expect(told({})).toEqual([
    ...past,
    '20: Step 2 will be sent unless someone responds: BOB; ANN (again).',
    '30: Step 3 will be sent unless someone responds: PAGER.',
  ]);
  expect(told({ standing: 'hold' })).toEqual([
    ...past,
    '12: Waiting because it is paused, in maintenance or outside of its hours: step 2, step 3.',
  ]);
  expect(told({ standing: 'over' }, 11 * MINUTE)).toEqual([
    ...past,
    '11: Not sent because the incident was over: step 2, step 3.',
  ]);
  const acknowledged = { incidentId: 'inc_1', sequence: 1, isAcknowledged: true } as const;
  state = withResponse(state, { ...acknowledged, snoozedUntilMs: null }, 12 * MINUTE);
  expect(told({})).toEqual([
    ...past,
    '12: Waiting because the incident is acknowledged: step 2, step 3.',
  ]);
});

test('the explanation says when a step was repeated instead of begun', () => {
  const repeat = { everyMinutes: 5, times: 1 };
  const contacts = [contact('ann')];
  const steps = [{ afterMinutes: 0, until: 'acknowledged' as const, repeat, contacts }];
  const policy = { policyName: 'On call', steps, quietHours: null, lastResort: null };
  const begun = notifyDue(beginEscalation(ALERT, policy, 0), 0).state;
  const { state } = notifyDue(begun, 5 * MINUTE);
  const view = { state, standing: 'open' as const, nowMs: 6 * MINUTE, quietEndMs: () => null };
  const told = explainEscalation({ ...view, findName: (id) => id, endedAtMs: null });
  expect(told.map(({ text }) => text).slice(1)).toEqual([
    'Step 1 began: ann.',
    'Step 1 was repeated: ann (again).',
  ]);
});
