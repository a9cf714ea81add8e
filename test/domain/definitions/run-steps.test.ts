/**
 * Tests that unfinished steps of an abandoned run get a final status of their own, and that finished steps stay
 * unchanged.
 */
import type { StepStatus } from '../../../src/contracts/records';
import { abandonSteps, createPendingSteps } from '../../../src/domain/definitions/run-steps';

const steps = createPendingSteps([
  { name: 'sign in', method: 'POST' },
  { name: 'read', method: 'GET' },
]);
const abandonment = { reason: 'the run was lost', atMs: 5_000 };

test('a run that has not started lists all its steps, in order and pending', () => {
  expect(steps).toMatchObject([
    { index: 0, name: 'sign in', method: 'POST', status: 'pending', tries: 0 },
    { index: 1, name: 'read', method: 'GET', status: 'pending', tries: 0 },
  ]);
});

test('a step that was not sent before its run was lost is skipped, with the reason', () => {
  expect(abandonSteps(steps, abandonment)).toMatchObject([
    { status: 'skipped', skippedReason: 'the run was lost', finishedAtMs: null },
    { status: 'skipped', skippedReason: 'the run was lost', finishedAtMs: null },
  ]);
});

test.each(['running', 'waiting'] as const)(
  'a step that was %s when the run ended becomes an error',
  (status) => {
    const underWay = steps.map((step) => ({ ...step, status, waitingUntilMs: 9_000 }));
    expect(abandonSteps(underWay, abandonment)[0]).toMatchObject({
      status: 'error',
      finishedAtMs: 5_000,
      waitingUntilMs: null,
    });
  },
);

const ENDED: readonly StepStatus[] = ['passed', 'failed', 'skipped', 'error'];

test.each(ENDED)('a step that had the status %s when the run ended keeps this status', (status) => {
  const ended = steps.map((step) => ({ ...step, status }));
  expect(abandonSteps(ended, abandonment)).toEqual(ended);
});
