/** Tests consecutive steps in one activity, and what the probe returns when the activity ends early. */
import {
  ActivityCancellationDetails,
  ApplicationFailure,
  CancelledFailure,
} from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createStepActivity, type SaveProgress } from '../../src/activities/run-stretch';
import {
  PROBE_STOPPED,
  type StepReference,
  type StretchProgress,
} from '../../src/contracts/activities';
import type { StepOutcome } from '../../src/contracts/outcome';
import { outcomeOf } from '../support/outcomes';

const FIRST: StepReference = {
  accountId: 'acc_1',
  kind: 'scenario',
  id: 'scn_1',
  revision: 3,
  stepIndex: 4,
  slotMs: 7,
  runId: 'run_1',
  vars: [],
};
// Stops the clock that measures durations.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => void jest.restoreAllMocks());

const environmentOf = (info: { readonly heartbeatDetails?: unknown } = {}) =>
  new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });

const STEPS = [4, 5, 6].map((stepIndex) => ({ stepIndex, variables: null }));

function stretchOf(
  answer: (step: StepReference) => Promise<StepOutcome>,
  mark: SaveProgress = async () => true,
) {
  const sent: number[] = [];
  const marks: StretchProgress[] = [];
  const runHttpStep = (step: StepReference) => {
    sent.push(step.stepIndex);
    return answer(step);
  };
  const activity = createStepActivity(runHttpStep, {
    runHttpStep,
    saveProgress: (progress) => {
      marks.push(progress);
      return mark(progress);
    },
  });
  return { activity, sent, marks };
}

const passed = async ({ stepIndex }: StepReference) => outcomeOf('up', { [`v${stepIndex}`]: 'x' });

/** Runs the steps until the second step has started, then interrupts their activity. */
async function interrupted(interrupt: (environment: MockActivityEnvironment) => void) {
  const environment = environmentOf();
  const { activity } = stretchOf(async (step) => {
    if (step.stepIndex === 4) return passed(step);
    interrupt(environment);
    return new Promise(() => undefined);
  });
  return environment.run(activity, FIRST, STEPS).catch((error: unknown) => error);
}

test('before each step of a run, the recorded progress contains the finished outcomes and names that step', async () => {
  const { activity, sent, marks } = stretchOf(passed);
  const outcomes = await environmentOf().run(activity, FIRST, STEPS);
  expect(outcomes).toHaveLength(3);
  expect(sent).toEqual([4, 5, 6]);
  expect(marks.map(({ outcomes: ended, underWay }) => [ended.length, underWay])).toEqual([
    [1, 'step 6'],
    [2, 'step 7'],
  ]);
});

test('an activity that runs a single step returns the outcome and records no progress', async () => {
  const { activity, marks } = stretchOf(passed);
  const outcome = await environmentOf().run(activity, FIRST);
  expect([outcome, marks]).toEqual([outcomeOf('up', { v4: 'x' }), []]);
});

test('a cancelled activity returns the outcomes of its finished steps', async () => {
  const error = await interrupted((environment) => environment.cancel('CANCELLED'));
  expect(error).toBeInstanceOf(CancelledFailure);
  expect((error as CancelledFailure).details).toMatchObject([
    { outcomes: [{ status: 'up' }], underWay: 'step 6' },
  ]);
});

test.each([
  ['WORKER_SHUTDOWN', { workerShutdown: true }],
  ['PAUSED', { paused: true }],
  ['TIMED_OUT', { timedOut: true }],
] as const)(
  'a probe stopped by %s returns the outcomes of the finished steps and the error PROBE_STOPPED',
  async (reason, details) => {
    const error = await interrupted((environment) =>
      environment.cancel(reason, new ActivityCancellationDetails(details)),
    );
    expect(error).toMatchObject({ type: PROBE_STOPPED, nonRetryable: true });
    expect((error as ApplicationFailure).details).toMatchObject([{ outcomes: [{ status: 'up' }] }]);
  },
);

test('an activity returns its finished outcomes if a later step is refused, and fails if its first step is refused', async () => {
  const refusal = ApplicationFailure.create({ type: 'secrets_unreadable', nonRetryable: true });
  const refusing = (index: number) =>
    stretchOf((step) => (step.stepIndex === index ? Promise.reject(refusal) : passed(step)))
      .activity;
  const environment = environmentOf();
  expect(await environment.run(refusing(5), FIRST, STEPS)).toHaveLength(1);
  await expect(environment.run(refusing(4), FIRST, STEPS)).rejects.toBe(refusal);
});

test('a later step that throws an error counts as possibly sent', async () => {
  const { activity } = stretchOf((step) =>
    step.stepIndex === 5 ? Promise.reject(new Error('a bug')) : passed(step),
  );
  const running = environmentOf().run(activity, FIRST, STEPS);
  await expect(running).rejects.toMatchObject({
    type: PROBE_STOPPED,
    details: [{ underWay: 'step 6' }],
  });
});

test('after an operator resets the activity of a run, the activity sends no further step', async () => {
  const { activity, sent, marks } = stretchOf(passed);
  const heartbeatDetails = { outcomes: [outcomeOf('up', { v4: 'x' })], underWay: 'step 6' };
  const running = environmentOf({ heartbeatDetails }).run(activity, FIRST, STEPS);
  await expect(running).rejects.toMatchObject({ type: PROBE_STOPPED, details: [heartbeatDetails] });
  expect([sent, marks]).toEqual([[], []]);
});
