/** Tests steps that are added to a running escalation. No one is notified twice, and nothing is sent again. */
import type { EscalationPlan, EscalationStep } from '../../../src/contracts/escalation';
import { withResponse } from '../../../src/domain/alerting/escalation';
import { beginEscalation, notifyDue } from '../../../src/domain/alerting/escalation-course';
import { explainMoments } from '../../../src/domain/alerting/explain-escalation';
import { withFurtherSteps } from '../../../src/domain/alerting/further-steps';
import { buildAlert } from '../../support/alert-message';

const MINUTE_MS = 60_000;

function step(
  key: string,
  afterMinutes: number,
  ids: readonly string[],
  more: Partial<EscalationStep> = {},
): EscalationStep {
  const contacts = ids.map((id) => ({ id, recipients: { channels: [id], targets: [] } }));
  return { key, afterMinutes, contacts, until: 'acknowledged', repeat: null, ...more };
}

function plan(...steps: EscalationStep[]): EscalationPlan {
  return { policyName: 'p', steps, quietHours: null, lastResort: null };
}

const begin = (...steps: EscalationStep[]) => beginEscalation(buildAlert(), plan(...steps), 0);

const keysOf = (state: { readonly plan: EscalationPlan }) => state.plan.steps.map(({ key }) => key);

/** Sends what is due at an instant. Returns the kind and contact of each notification. */
function send(state: ReturnType<typeof begin>, atMinutes: number) {
  const turn = notifyDue(state, atMinutes * MINUTE_MS);
  const sent = turn.notifications.flatMap(({ kind, contacts }) =>
    contacts.map(({ id }) => `${kind} ${id}`),
  );
  return { state: turn.state, sent };
}

test('a step added to an escalation is sent, although the planned notifications are renumbered', () => {
  const repeat = { everyMinutes: 10, times: 2 };
  const first = send(begin(step('a/0', 0, ['x'], { repeat }), step('a/1', 15, ['y'])), 0);
  expect(first.sent).toEqual(['failure x']);
  const later = withFurtherSteps(first.state, plan(step('b/0', 0, ['z'])), 5 * MINUTE_MS);
  const second = send(later, 5);
  expect(second.sent).toEqual(['failure z']);
  expect(send(second.state, 9).sent).toEqual([]);
  expect(send(second.state, 10).sent).toEqual(['reminder x']);
  expect(send(second.state, 20).sent).toEqual(['reminder x', 'failure y']);
});

test('steps added between others do not change which notifications count as sent', () => {
  const first = send(begin(step('a/0', 0, ['x']), step('a/1', 15, ['y'])), 0);
  const between = withFurtherSteps(first.state, plan(step('b/0', 3, ['z'])), 2 * MINUTE_MS);
  const view = { state: between, standing: 'open', nowMs: 2 * MINUTE_MS, quietEndMs: () => null };
  expect(explainMoments({ ...view, standing: 'open' })).toMatchObject([
    { step: 0, state: 'sent', atMs: 0 },
    { step: 2, state: 'planned', atMs: 5 * MINUTE_MS },
    { step: 1, state: 'planned', atMs: 15 * MINUTE_MS },
  ]);
});

test('adding the same escalation steps again changes nothing', () => {
  const state = begin(step('a/0', 0, ['x']));
  const further = plan(step('a/0', 0, ['x']), step('b/0', 0, ['y']));
  const once = withFurtherSteps(state, further, 0);
  expect(keysOf(once)).toEqual(['a/0', 'b/0']);
  expect(withFurtherSteps(once, further, MINUTE_MS)).toBe(once);
});

test('an added step omits a contact that the step of another group notifies earlier', () => {
  const state = begin(step('a/0', 0, ['x']), step('a/1', 30, ['boss']));
  const later = withFurtherSteps(state, plan(step('b/0', 0, ['x', 'boss', 'z'])), 0);
  expect(later.plan.steps.at(-1)?.contacts.map(({ id }) => id)).toEqual(['boss', 'z']);
  expect(keysOf(withFurtherSteps(state, plan(step('c/0', 0, ['x'])), 0))).toEqual(['a/0', 'a/1']);
});

test('if two steps notify one contact at the same time, only the repeating step keeps the contact', () => {
  const repeat = { everyMinutes: 5, times: 3 };
  const given = plan(step('direct:1', 0, ['x', 'y']), step('a/0', 0, ['x'], { repeat }));
  const { steps } = withFurtherSteps(begin(), given, 0).plan;
  expect(steps.map(({ key, contacts }) => [key, contacts.map(({ id }) => id)])).toEqual([
    ['a/0', ['x']],
    ['direct:1', ['y']],
  ]);
});

test('a policy may notify the same contact in several of its steps', () => {
  const state = withFurtherSteps(begin(), plan(step('a/0', 0, ['x']), step('a/1', 15, ['x'])), 0);
  expect(keysOf(state)).toEqual(['a/0', 'a/1']);
});

test('the minutes of an added step count from the time of its addition, without acknowledged or snoozed time', () => {
  const first = send(begin(step('a/0', 0, ['x'])), 0).state;
  const silence = { incidentId: 'inc_1', isAcknowledged: true, snoozedUntilMs: null };
  const answered = withResponse(first, { ...silence, sequence: 1 }, 10 * MINUTE_MS);
  const later = withFurtherSteps(answered, plan(step('b/0', 5, ['y'])), 40 * MINUTE_MS);
  expect(later.plan.steps.at(-1)?.afterMinutes).toBe(15);
  expect(send(later, 41).sent).toEqual([]);
  const resumed = withResponse(
    later,
    { ...silence, isAcknowledged: false, sequence: 2 },
    50 * MINUTE_MS,
  );
  expect(send(resumed, 50).sent).toEqual(['reminder x']);
  expect(send(send(resumed, 50).state, 55).sent).toEqual(['failure y']);
});

test('if several policies apply, the last resort comes from the first policy that has a last resort', () => {
  const state = beginEscalation(buildAlert(), { ...plan(), lastResort: null }, 0);
  const one = withFurtherSteps(
    state,
    { ...plan(step('a/0', 0, ['x'])), lastResort: 'chn_1', policyName: 'a' },
    0,
  );
  const two = withFurtherSteps(
    one,
    { ...plan(step('b/0', 0, ['y'])), lastResort: 'chn_2', policyName: 'a, b' },
    0,
  );
  expect(two.plan).toMatchObject({ lastResort: 'chn_1', policyName: 'a, b' });
});

const QUIET = { timeZone: 'UTC', days: ['mon'], from: '22:00', to: '08:00' } as const;

test('quiet hours of one policy do not delay a contact that another policy notifies at once', () => {
  const quiet = step('a/0', 0, ['x'], { quietHours: QUIET });
  const waking = step('b/0', 0, ['x']);
  const together = withFurtherSteps(begin(), plan(quiet, waking), 0);
  expect(keysOf(together)).toEqual(['b/0']);
  const later = withFurtherSteps(begin(quiet), plan(waking), 0);
  expect(keysOf(later)).toEqual(['a/0', 'b/0']);
  const alike = withFurtherSteps(begin(quiet), plan({ ...quiet, key: 'b/0' }), 0);
  expect(keysOf(alike)).toEqual(['a/0']);
});

test('a step without remaining contacts is kept, so that the fallback recipient is notified', () => {
  expect(keysOf(withFurtherSteps(begin(), plan(step('a/0', 0, [])), 0))).toEqual(['a/0']);
});
