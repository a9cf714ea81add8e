/**
 * Composes a scenario with another environment for one run. Probes read the result as an immutable revision, whose
 * number follows from its content.
 */
import { createHash } from 'node:crypto';
import type { RunInEnvironment } from '../../contracts/workflows';
import type { Scenario } from '../../models/resources/scenarios';
import { canonicalJson } from '../../platform/canonical-json';
import { withoutFields } from '../../schemas/read-only';
import type { RunScenarioBody } from '../../schemas/run';
import { readChange } from '../lists/read-change';
import type { Dependencies } from '../ports/dependencies';
import { buildScenarioConfig, buildScenarioDefinition } from '../resources/compose-config';
import { definitionChange } from '../resources/definition-change';
import { findEnvironment, refuseUnknownEnvironment } from '../resources/layers';
import { scenarioKind } from './kind';

/** Larger than any revision of a saved definition, which counts from 1. */
const FIRST_REVISION = 10 ** 14;
const HASHED_BYTES = 6;

/**
 * Throws one error for all unknown variables and blocked targets. Secret variables of the scenario are not sent to
 * origins outside of it: the run must give their values.
 */
export async function composeInEnvironment(
  needs: Dependencies,
  scenario: Scenario,
  { environment: reference, variables: given }: Pick<RunScenarioBody, 'environment' | 'variables'>,
): Promise<RunInEnvironment | null> {
  if (reference === null) return null;
  const { accountId, id, revision } = scenario;
  const environment = await findEnvironment(needs, accountId, reference);
  if (environment === null) refuseUnknownEnvironment(reference);
  const kind = scenarioKind(needs);
  const names = new Set(given.map(({ name }) => name));
  const own = withoutFields(kind.present(scenario, null), kind.readOnlyFields);
  const { references, ...body } = readChange(kind.shape, { sent: own, stored: own });
  const open = references?.variables.filter(({ name }) => !names.has(name)) ?? [];
  const fields = await kind.compose(
    { accountId, id, stored: scenario },
    {
      ...body,
      environment: environment.key,
      references: { secrets: references?.secrets ?? [], variables: open },
    },
  );
  const variables = fields.variables.filter(({ name }) => !names.has(name));
  const change = definitionChange(needs, kind, {
    fields: { ...fields, variables },
    isEnabled: null,
  });
  const composed = change(scenario);
  const definition = buildScenarioDefinition({ ...composed, revision: 0 });
  const definitionRevision = FIRST_REVISION + hashToNumber(canonicalJson(definition));
  await needs.stores.revisions.save(accountId, { ...definition, revision: definitionRevision });
  const { steps } = buildScenarioConfig(composed, needs.clock.now());
  return { environment: environment.key, definitionRevision, revision, steps };
}

function hashToNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, HASHED_BYTES);
}
