/** Tests which steps share an activity, what each of these steps gets, and how their progress is read. */
import type { StepReference } from '../../../src/contracts/activities';
import {
  advanceReference,
  isStretchOver,
  readOutcomes,
  readProgress,
  STRETCH_LENGTH_MAX,
  selectVariables,
} from '../../../src/domain/states/stretch';
import { outcomeOf } from '../../support/outcomes';

const NOW_MS = Date.UTC(2027, 0, 4, 9);
const REFERENCE: StepReference = {
  accountId: 'acc_1',
  kind: 'scenario',
  id: 'scn_1',
  revision: 3,
  stepIndex: 0,
  slotMs: 0,
  runId: 'run_1',
  limitMs: 1_000,
  vars: [
    { name: 'user', value: 'demo' },
    { name: 'token', value: 'old' },
  ],
  cookies: 'sealed 1',
};

test('a step gets the variables that it refers to, and all secret variables', () => {
  const variables = [
    { name: 'user', value: 'demo' },
    { name: 'token', value: 'sealed', secret: true },
    { name: 'id', value: 7 },
  ] as const;
  expect(selectVariables(variables, ['id']).map(({ name }) => name)).toEqual(['token', 'id']);
  expect(selectVariables(variables, null)).toEqual(variables);
});

test('the next step gets the extracted values, the newest cookies and the rest of the time limit', () => {
  const outcome = {
    ...outcomeOf('up', { token: 'new', id: '7' }),
    cookies: { jar: 'sealed 2', set: [], notes: [] },
  };
  expect(advanceReference(REFERENCE, outcome)).toEqual({
    ...REFERENCE,
    limitMs: 988,
    vars: [
      { name: 'user', value: 'demo' },
      { name: 'token', value: 'new' },
      { name: 'id', value: '7' },
    ],
    cookies: 'sealed 2',
  });
  expect(advanceReference(REFERENCE, outcomeOf('up')).cookies).toBe('sealed 1');
});

test('a clean-up step has no time limit, and passes none to the next step', () => {
  const { limitMs: _, ...unlimited } = REFERENCE;
  expect(advanceReference(unlimited, outcomeOf('up'))).not.toHaveProperty('limitMs');
});

test.each([
  ['continues if no step has ended', [], REFERENCE, false],
  ['continues if each step has passed', [outcomeOf('up'), outcomeOf('degraded')], REFERENCE, false],
  ['ends if the last step has failed', [outcomeOf('up'), outcomeOf('down')], REFERENCE, true],
  ['ends if the last step is unknown', [outcomeOf('unknown')], REFERENCE, true],
  ['ends if the time limit is used up', [outcomeOf('up')], { ...REFERENCE, limitMs: 0 }, true],
  [
    'ends if the outcomes are large',
    [outcomeOf('up', { v: 'x'.repeat(STRETCH_LENGTH_MAX) })],
    REFERENCE,
    true,
  ],
] as const)('the activity of a run %s', (_, outcomes, reference, isOver) => {
  expect(isStretchOver(outcomes, reference)).toBe(isOver);
});

test('the recorded progress of a run counts only if it is a list of valid outcomes', () => {
  const outcomes = [outcomeOf('up'), outcomeOf('up')];
  expect(readOutcomes(outcomes, NOW_MS)).toEqual(outcomes);
  expect(readOutcomes([...outcomes, null], NOW_MS)).toBeNull();
  expect(readOutcomes(outcomes[0], NOW_MS)).toBeNull();
  expect(readProgress(undefined, NOW_MS)).toEqual([]);
  expect(readProgress({ outcomes, underWay: 'step 3' }, NOW_MS)).toEqual(outcomes);
  for (const forged of [null, 'x', {}, { outcomes: null }, { outcomes: [{}] }])
    expect(readProgress(forged, NOW_MS)).toBeNull();
});
