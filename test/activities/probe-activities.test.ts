/** Tests the activity of a probe: the inputs that it passes to the runner, and the inputs that it refuses. */
import { ApplicationFailure } from '@temporalio/common';
import { DefinitionUnavailableError } from '../../src/activities/definition-client';
import { createProbeActivities } from '../../src/activities/probe-activities';
import type { StepInputs } from '../../src/checks/step-runner';
import type { Definition } from '../../src/contracts/definition';
import { RUN_VALUE_PURPOSE } from '../../src/contracts/seal-contexts';
import { createTextSealer } from '../../src/platform/sealing';
import { outcomeOf } from '../support/outcomes';

const runValues = {
  ...createTextSealer(['ab'.repeat(32)], RUN_VALUE_PURPOSE),
  renew: async () => undefined,
};
const definition: Definition = {
  kind: 'scenario',
  id: 'scn_1',
  revision: 3,
  variables: [],
  steps: [],
};
const step = { accountId: 'acc_1', kind: 'scenario', id: 'scn_1', revision: 3, slotMs: 7 } as const;

function activitiesWith(read: () => Promise<Definition>) {
  const ran: { readonly stepIndex: number; readonly inputs: StepInputs }[] = [];
  const runner = {
    runStep: (_: Definition, stepIndex: number, inputs: StepInputs) => {
      ran.push({ stepIndex, inputs });
      return Promise.resolve(outcomeOf('up'));
    },
  };
  const secrets = { read: () => Promise.reject(new Error('no secret is named')) };
  return { ran, ...createProbeActivities({ definitions: { read }, secrets, runner, runValues }) };
}

test('a step of a run gets the variables of the run', async () => {
  const { ran, runHttpStep } = activitiesWith(() => Promise.resolve(definition));
  const generated = { uuid: 'u', now: 'n', runId: 'r' };
  const vars = [{ name: 'token', value: 't' }];
  await runHttpStep({ ...step, stepIndex: 2, generated, vars });
  expect(ran).toEqual([
    {
      stepIndex: 2,
      inputs: { accountId: 'acc_1', vars, generated, slotMs: 7, secrets: [], cookies: null },
    },
  ]);
});

test('the check of a monitor gets the variables of the monitor', async () => {
  const { ran, runHttpStep } = activitiesWith(() => Promise.resolve(definition));
  await runHttpStep({ ...step, stepIndex: 0 });
  expect(ran[0]?.inputs.generated).toMatchObject({ runId: 'scn_1-7' });
});

test('if the definition cannot be read, nothing is sent, and the workflow gets the reason', async () => {
  for (const [isMissing, type] of [
    [true, 'definition_missing'],
    [false, 'definition_unreadable'],
  ] as const) {
    const { ran, runHttpStep } = activitiesWith(() =>
      Promise.reject(new DefinitionUnavailableError('no', isMissing)),
    );
    const failure = await runHttpStep({ ...step, stepIndex: 0 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type, nonRetryable: true });
    expect(ran).toEqual([]);
  }
});
