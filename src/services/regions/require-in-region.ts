/** Checks whether probes of a region may read a definition. Used only by the internal endpoint. */
import type { DefinitionReference } from '../../contracts/probe-protocol';
import { isId } from '../../domain/definitions/ids';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores'>;

/**
 * Throws `not_found` unless the resource, one of its runs, or the tested definition runs in the region. A probe learns
 * about nothing else.
 */
export async function requireInRegion(
  { stores }: Needs,
  reference: DefinitionReference,
  region: string,
): Promise<void> {
  const { accountId, kind, id, revision } = reference;
  if (!isId('account', accountId) || !isId(kind, id)) throw notFound();
  const store = kind === 'monitor' ? stores.monitors : stores.scenarios;
  const resource = await store.find(accountId, id);
  if (resource?.regions.includes(region) === true) return;
  const isTested = (await stores.revisions.regionOfTest(accountId, id, revision)) === region;
  if (isTested) return;
  if (kind === 'scenario' && (await stores.runs.isUnderWay(accountId, id, region))) return;
  throw notFound();
}

function notFound(): AppError {
  return new AppError('not_found', 'There is no definition with this id and revision.');
}
