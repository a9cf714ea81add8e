/**
 * Runs all steps of a definition as a probe does for a run: with the same activity, with encrypted values between the
 * steps, and on real sockets.
 */
import { createProbeActivities } from '../../../src/activities/probe-activities';
import type { StepRunner } from '../../../src/checks/step-runner';
import type { Definition, JsonValue } from '../../../src/contracts/definition';
import type { StepOutcome } from '../../../src/contracts/outcome';
import type { ProbeSecret } from '../../../src/contracts/probe-protocol';
import type { RunVariable } from '../../../src/contracts/records';
import { RUN_VALUE_PURPOSE, runValueContext } from '../../../src/contracts/seal-contexts';
import { createTextSealer } from '../../../src/platform/sealing';

const ACCOUNT = 'acc_1';
const RUN = 'run_1';
const sealer = createTextSealer(['cd'.repeat(32)], RUN_VALUE_PURPOSE);
const runValues = { ...sealer, renew: async () => undefined };

interface RunInputs {
  readonly secrets?: readonly ProbeSecret[];
  /** Variables given by the person who starts the run. */
  readonly variables?: Readonly<Record<string, JsonValue>>;
  /** Secret variables given by the person who starts the run. */
  readonly secretVariables?: Readonly<Record<string, string>>;
}

function sealedFor([name, value]: [string, string]): RunVariable {
  const sealed = sealer.seal(JSON.stringify(value), runValueContext(ACCOUNT, RUN, name));
  return { name, value: sealed, secret: true };
}

export async function carryOutSteps(
  runner: StepRunner,
  definition: Definition,
  { secrets = [], variables = {}, secretVariables = {} }: RunInputs = {},
): Promise<readonly StepOutcome[]> {
  const { runHttpStep } = createProbeActivities({
    definitions: { read: async () => definition },
    secrets: { read: async () => secrets },
    runner,
    runValues,
  });
  const vars = new Map<string, RunVariable>(
    [
      ...Object.entries(variables).map(([name, value]) => ({ name, value })),
      ...Object.entries(secretVariables).map(sealedFor),
    ].map((variable) => [variable.name, variable]),
  );
  const outcomes: StepOutcome[] = [];
  let cookies: string | undefined;
  for (const stepIndex of definition.steps.keys()) {
    const outcome = await runHttpStep({
      accountId: ACCOUNT,
      kind: definition.kind,
      id: definition.id,
      revision: definition.revision,
      stepIndex,
      slotMs: 0,
      runId: RUN,
      vars: [...vars.values()],
      ...(cookies === undefined ? {} : { cookies }),
    });
    outcomes.push(outcome);
    cookies = outcome.cookies?.jar ?? cookies;
    for (const value of outcome.extracted) vars.set(value.name, value);
  }
  return outcomes;
}
