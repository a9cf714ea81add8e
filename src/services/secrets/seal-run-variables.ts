/** Encrypts variables of a run that are marked as secret, or that have the same name as a secret variable. */
import type { RunRecord, RunVariables } from '../../contracts/records';
import { runValueContext } from '../../contracts/seal-contexts';
import type { Scenario } from '../../models/resources/scenarios';
import type { RunScenarioBody } from '../../schemas/run';
import type { Dependencies } from '../ports/dependencies';

/** Encrypts the values. The workflow stores them in this form, and a probe can decrypt them only for this run. */
export function sealRunVariables(
  { sealers }: Pick<Dependencies, 'sealers'>,
  { accountId, variables, steps }: Pick<Scenario, 'accountId' | 'variables' | 'steps'>,
  run: Pick<RunRecord, 'runId' | 'region'> & { readonly given: RunScenarioBody['variables'] },
): RunVariables {
  const extractions = steps.flatMap(({ extract }) => extract);
  const secretNames = new Set([
    ...variables.filter(({ secret }) => secret === true).map(({ name }) => name),
    ...extractions.filter(({ secret }) => secret === true).map(({ variable }) => variable),
  ]);
  const sealer = sealers.runIn(run.region);
  return run.given.map(({ name, value, isSecret }) => {
    if (!isSecret && !secretNames.has(name)) return { name, value };
    const context = runValueContext(accountId, run.runId, name);
    return { name, value: sealer.seal(JSON.stringify(value), context), secret: true };
  });
}
