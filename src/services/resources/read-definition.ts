/** Reads a definition revision for a probe. */
import type { Definition } from '../../contracts/definition';
import type { DefinitionReference } from '../../contracts/probe-protocol';
import { isId } from '../../domain/definitions/ids';
import type { Monitor } from '../../models/resources/monitors';
import type { Scenario } from '../../models/resources/scenarios';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { openDefinition } from '../secrets/secret-variables';
import { buildMonitorDefinition, buildScenarioDefinition } from './compose-config';

type Needs = Pick<Dependencies, 'stores' | 'sealers'>;

/**
 * Returns the revision with its secret variables in plain text. Throws `not_found` unless the region of the probe runs
 * the resource, one of its runs or a test of the definition. A probe may read no other definitions.
 */
export async function readDefinition(
  needs: Needs,
  reference: DefinitionReference,
  region: string,
): Promise<Definition> {
  const { accountId, kind, id } = reference;
  if (!isId('account', accountId) || !isId(kind, id)) throw notFound();
  const { monitors, scenarios } = needs.stores;
  const resource = await (kind === 'monitor' ? monitors : scenarios).find(accountId, id);
  if (resource?.regions.includes(region) !== true) await requireTestOrRun(needs, reference, region);
  const definition = await findRevision(needs, reference, resource);
  if (definition === null) throw notFound();
  return openDefinition(needs, accountId, definition);
}

async function requireTestOrRun(
  { stores }: Needs,
  { accountId, kind, id, revision }: DefinitionReference,
  region: string,
): Promise<void> {
  if ((await stores.revisions.regionOfTest(accountId, id, revision)) === region) return;
  if (kind === 'scenario' && (await stores.runs.isUnderWay(accountId, id, region))) return;
  throw notFound();
}

/**
 * Finds the revision. The current revision of a monitor is part of the monitor. If the current revision of a scenario
 * is missing after a crash, stores it, because a run may need it after the next change.
 */
async function findRevision(
  { stores: { revisions } }: Needs,
  { accountId, kind, id, revision }: DefinitionReference,
  resource: Monitor | Scenario | null,
): Promise<Definition | null> {
  const current = resource?.revision === revision ? resource : null;
  if (current !== null && !('steps' in current)) return buildMonitorDefinition(current);
  const stored = await revisions.find(accountId, kind, id, revision);
  if (stored !== null || current === null) return stored;
  const definition = buildScenarioDefinition(current);
  await revisions.save(accountId, definition);
  return definition;
}

function notFound(): AppError {
  return new AppError('not_found', 'There is no definition with this id and revision.');
}
