/** One result of a monitor, by its id, with its evidence where that is kept. */

import { isPassing, withEvidence } from '../../domain/health/evidence';
import { AppError } from '../../platform/errors';
import type { ResultResponse } from '../../schemas/responses/checks';
import type { Dependencies } from '../ports/dependencies';
import { monitorPort } from '../resources/resource-port';
import { findResource } from '../resources/save-resource';
import { presentResult } from '../results/present-result';

interface ResultRequest {
  readonly monitorId: string;
  readonly resultId: string;
}

/** Throws `not_found`, also for a result of another monitor and for one that is no longer kept. */
export async function getResult(
  needs: Dependencies,
  accountId: string,
  { monitorId, resultId }: ResultRequest,
): Promise<ResultResponse> {
  const { id } = await findResource(monitorPort(needs), accountId, monitorId);
  const result = await needs.stores.results.find(accountId, resultId);
  if (result === null || result.monitorId !== id)
    throw new AppError('not_found', 'There is no result with this id, or it is no longer kept.');
  if (result.outcome === null || !isPassing(result)) return presentResult(result);
  const { region } = result;
  const kept = { resourceId: id, region, resultId };
  const evidence = await needs.stores.evidence.find(accountId, kept);
  return presentResult({ ...result, outcome: withEvidence(result.outcome, evidence?.[0] ?? null) });
}
