/**
 * Tests the rules of escalations. Each notification is sent once and in order, and acknowledged or snoozed time does
 * not count.
 */
import fc from 'fast-check';
import type { AlertMessage } from '../../../src/contracts/alerts';
import type { EscalationState, EscalationTimes } from '../../../src/contracts/escalation';
import {
  listDueMoments,
  listMoments,
  nextDueMs,
  withResponse,
  withSnoozeEnded,
} from '../../../src/domain/alerting/escalation';
import {
  beginCourse,
  beginEscalation,
  forecastNotifications,
  notifyDue,
  withRestart,
} from '../../../src/domain/alerting/escalation-course';
import { buildAlert } from '../../support/alert-message';
import { propertyOptions } from '../../support/property-runs';

const MINUTE = 60_000;
const never = (): null => null;

const ALERT: AlertMessage = buildAlert();

function stateOf(steps: readonly EscalationTimes[]): EscalationState {
  const plan = {
    policyName: 'p',
    steps: steps.map((step) => ({ ...step, contacts: [] })),
    quietHours: null,
    lastResort: null,
  };
  return beginEscalation(ALERT, plan, 0);
}

const STEPS: readonly EscalationTimes[] = [
  { afterMinutes: 0, until: 'acknowledged', repeat: { everyMinutes: 10, times: 2 } },
  { afterMinutes: 15, until: 'recovered', repeat: null },
];

const silence = (
  sequence: number,
  isAcknowledged: boolean,
  snoozedUntilMs: number | null = null,
) => ({
  incidentId: 'inc_1',
  sequence,
  isAcknowledged,
  snoozedUntilMs,
});

const seen = (quietEndMs: (atMs: number) => number | null) =>
  forecastNotifications(beginCourse(stateOf(STEPS).plan, 0), 0, quietEndMs).map(
    ({ atMs, step, numbers }) => [atMs / MINUTE, step, numbers],
  );

test('escalation steps and their repeats are sent in order of time', () => {
  expect(seen(never)).toEqual([
    [0, 0, [0]],
    [10, 0, [1]],
    [15, 1, [2]],
    [20, 0, [3]],
  ]);
});

test('an escalation step outside its hours waits for the hours to begin, while other steps continue', () => {
  const closedUntilMs = (step: number, atMs: number): number | null =>
    step === 0 && atMs < 17 * MINUTE ? 17 * MINUTE : null;
  const course = beginCourse(stateOf(STEPS).plan, 0);
  const foreseen = forecastNotifications(course, 0, never, closedUntilMs);
  expect(foreseen.map(({ atMs, step, numbers }) => [atMs / MINUTE, step, numbers])).toEqual([
    [15, 1, [2]],
    [17, 0, [0, 1]],
    [20, 0, [3]],
  ]);
});

test('each escalation step that becomes due in quiet hours is sent once when the quiet hours end', () => {
  expect(seen((atMs) => (atMs < 12 * MINUTE ? 12 * MINUTE : null))).toEqual([
    [12, 0, [0, 1]],
    [15, 1, [2]],
    [20, 0, [3]],
  ]);
});

test('an acknowledgement pauses steps with until: acknowledged, and undoing the acknowledgement resumes the steps', () => {
  const notified = { ...stateOf(STEPS), done: [0], lastStep: 0 };
  const moments = listMoments(STEPS);
  const acknowledged = withResponse(notified, silence(1, true), 5 * MINUTE);
  expect(listDueMoments(acknowledged, moments, 60 * MINUTE).map(({ step }) => step)).toEqual([1]);
  const undone = withResponse(acknowledged, silence(2, false), 25 * MINUTE);
  expect(undone.isResumed).toBe(true);
  // The twenty minutes with an acknowledgement do not count towards the first step.
  expect(listDueMoments(undone, moments, 29 * MINUTE).map(({ step }) => step)).toEqual([1]);
  expect(listDueMoments(undone, moments, 30 * MINUTE).map(({ step }) => step)).toEqual([0, 1]);
});

test('a snooze defers every escalation step until the snooze ends', () => {
  const notified = { ...stateOf(STEPS), done: [0], lastStep: 0 };
  const moments = listMoments(STEPS);
  const snoozed = withResponse(notified, silence(1, false, 60 * MINUTE), 5 * MINUTE);
  expect(nextDueMs(snoozed, moments)).toBeNull();
  expect(withSnoozeEnded(snoozed, 59 * MINUTE)).toBe(snoozed);
  const ended = withSnoozeEnded(snoozed, 60 * MINUTE);
  expect(ended.isResumed).toBe(true);
  expect(nextDueMs(ended, moments)).toBe(65 * MINUTE);
});

test('an acknowledgement or snooze that is outdated or for another incident changes nothing', () => {
  const state = withResponse(stateOf(STEPS), silence(2, true), 0);
  expect(withResponse(state, silence(1, false), MINUTE)).toBe(state);
  expect(withResponse(state, { ...silence(3, false), incidentId: 'inc_2' }, MINUTE)).toBe(state);
});

const answers = fc.array(
  fc.record({ minutes: fc.integer({ min: 1, max: 40 }), isAcknowledged: fc.boolean() }),
  { maxLength: 12 },
);

test('each notification of an escalation is sent once and in order, and none while the incident is acknowledged', () => {
  fc.assert(
    fc.property(answers, (given) => {
      const steps = STEPS.map((step) => ({ ...step, until: 'acknowledged' as const }));
      const moments = listMoments(steps);
      let state = stateOf(steps);
      let nowMs = 0;
      let sequence = 0;
      const sent: number[] = [];
      const send = (): void => {
        const due = listDueMoments(state, moments, nowMs).map(({ number }) => number);
        if (state.silence?.isAcknowledged === true) expect(due).toEqual([]);
        sent.push(...due);
        state = { ...state, done: [...state.done, ...due] };
      };
      const passTo = (endMs: number): void => {
        for (let dueMs = nextDueMs(state, moments); dueMs !== null && dueMs <= endMs; ) {
          nowMs = Math.max(nowMs, dueMs);
          send();
          dueMs = nextDueMs(state, moments);
        }
        nowMs = endMs;
      };
      for (const { minutes, isAcknowledged } of given) {
        passTo(nowMs + minutes * MINUTE);
        sequence += 1;
        state = withResponse(state, silence(sequence, isAcknowledged), nowMs);
      }
      state = withResponse(state, silence(sequence + 1, false), nowMs);
      passTo(nowMs + 1_000 * MINUTE);
      expect(sent).toEqual(moments.map(({ number }) => number));
    }),
    propertyOptions(100),
  );
});

test('a lasting outage after flapping starts the escalation again at the first step, with new notification ids', () => {
  const first = notifyDue(stateOf(STEPS), 0);
  const acknowledged = withResponse(first.state, silence(1, true), MINUTE);
  const over = { ...acknowledged, isOver: true };
  const again = withRestart(over, buildAlert({ sinceMs: 50 * MINUTE }), 60 * MINUTE);
  expect(again).toMatchObject({ isOver: false, silence: null, done: [] });
  expect(again.alert).toMatchObject({ id: ALERT.id, sinceMs: 50 * MINUTE, staysDown: true });
  expect(nextDueMs(again, listMoments(STEPS))).toBe(60 * MINUTE);
  const rounds = [first, notifyDue(again, 60 * MINUTE)].map(({ notifications }) =>
    notifications.map(({ step, round }) => [step, round]),
  );
  expect(rounds).toEqual([
    [
      [0, '0'],
      [0, '0'],
    ],
    [
      [0, '1.0'],
      [0, '1.0'],
    ],
  ]);
});
