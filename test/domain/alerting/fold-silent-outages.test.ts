/** Tests that the explanation of a flapping incident states only once that its outages sent nothing. */
import type { ExplainedIncident, Explanation } from '../../../src/domain/alerting/explain-incident';
import {
  foldSilentOutages,
  isSilentOutage,
} from '../../../src/domain/alerting/fold-silent-outages';

const outage: ExplainedIncident = {
  openedAtMs: 1_000,
  closedAtMs: 2_000,
  cause: null,
  regions: [],
  decisions: [
    { atMs: 1_000, reason: 'flapping' },
    { atMs: 2_000, reason: 'recovery_flapping' },
  ],
  answers: [],
  deliveries: [],
};

function explained(atMs: number, isSilent: boolean) {
  const sentences: Explanation[] = [
    { atMs, topic: 'check', text: `Failed at ${atMs}.` },
    { atMs: atMs + 1, topic: 'flapping', text: 'Flapping.' },
  ];
  return { sentences, isSilent };
}

const textsOf = (...outages: readonly ReturnType<typeof explained>[]) =>
  foldSilentOutages(outages).map(({ text }) => text);

test('consecutive outages without notifications are explained in one sentence, at the time of the first outage', () => {
  const folded = foldSilentOutages([
    explained(10, false),
    explained(20, true),
    explained(30, true),
    explained(40, true),
    explained(50, false),
  ]);
  expect(folded.map(({ atMs }) => atMs)).toEqual([10, 11, 20, 50, 51]);
  expect(folded[2]).toEqual({
    atMs: 20,
    topic: 'flapping',
    decision: 'flapping',
    text: 'Alerts were paused while it was flapping: 3 outages sent nothing.',
  });
});

test('a single outage without notifications keeps its own sentences in the explanation', () => {
  expect(textsOf(explained(10, true), explained(20, false), explained(30, true))).toHaveLength(6);
});

test('an outage counts as silent if it has ended and only flapping prevented its alerts', () => {
  expect(isSilentOutage(outage)).toBe(true);
  expect(isSilentOutage({ ...outage, closedAtMs: null })).toBe(false);
  expect(isSilentOutage({ ...outage, decisions: [] })).toBe(false);
  expect(isSilentOutage({ ...outage, decisions: [{ atMs: 1, reason: 'stayed_down' }] })).toBe(
    false,
  );
  expect(isSilentOutage({ ...outage, answers: [{ atMs: 1, text: 'Acknowledged.' }] })).toBe(false);
  expect(
    isSilentOutage({ ...outage, escalation: [{ atMs: 1, topic: 'policy', text: 'Step 1.' }] }),
  ).toBe(false);
});
