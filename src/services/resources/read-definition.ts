/** Reads a definition revision for a probe. */
import type { Definition } from '../../contracts/definition';
import type { DefinitionReference } from '../../contracts/probe-protocol';
import { isId } from '../../domain/definitions/ids';
import type { Resource } from '../../models/resources/resource';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { openDefinition } from '../secrets/secret-variables';
import { monitorPort, type ResourcePort, scenarioPort } from './resource-port';

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'sealers'>;

/**
 * Returns the revision with its secret variables in plain text. Creates a revision that is missing after a crash.
 * Throws `not_found`.
 */
export async function readDefinition(
  needs: Needs,
  reference: DefinitionReference,
): Promise<Definition> {
  const { accountId, kind, id, revision } = reference;
  if (!isId('account', accountId) || !isId(kind, id)) throw notFound();
  const stored = await needs.stores.revisions.find(accountId, kind, id, revision);
  if (stored !== null) return openDefinition(needs, accountId, stored);
  const current =
    kind === 'monitor'
      ? await definitionOfStored(monitorPort(needs), reference)
      : await definitionOfStored(scenarioPort(needs), reference);
  if (current === null) throw notFound();
  await needs.stores.revisions.save(accountId, current);
  return openDefinition(needs, accountId, current);
}

async function definitionOfStored<Entity extends Resource>(
  port: ResourcePort<Entity>,
  { accountId, id, revision }: DefinitionReference,
): Promise<Definition | null> {
  const resource = await port.store.find(accountId, id);
  return resource !== null && resource.revision === revision ? port.readDefinition(resource) : null;
}

function notFound(): AppError {
  return new AppError('not_found', 'There is no definition with this id and revision.');
}
