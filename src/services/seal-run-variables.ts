/** Variables that a run is given: those under the name of a secret one are sealed for the run. */
import type { JsonValue } from '../contracts/definition';
import type { RunVariables } from '../contracts/records';
import { runValueContext } from '../contracts/seal-contexts';
import type { Dependencies } from './dependencies';
import type { ScenarioRow } from './rows';

/** What the workflow may carry; a probe opens it for exactly this run. */
export function sealRunVariables(
  { sealers }: Pick<Dependencies, 'sealers'>,
  { accountId, variables, steps }: Pick<ScenarioRow, 'accountId' | 'variables' | 'steps'>,
  run: { readonly runId: string; readonly given: Readonly<Record<string, JsonValue>> },
): RunVariables {
  const extractions = steps.flatMap(({ extract }) => extract);
  const secretNames = new Set([
    ...variables.filter(({ secret }) => secret === true).map(({ name }) => name),
    ...extractions.filter(({ secret }) => secret === true).map(({ variable }) => variable),
  ]);
  return Object.entries(run.given).map(([name, value]) => {
    if (!secretNames.has(name)) return { name, value };
    const context = runValueContext(accountId, run.runId, name);
    return { name, value: sealers.run.seal(JSON.stringify(value), context), secret: true };
  });
}
