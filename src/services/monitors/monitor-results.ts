/** A page of a monitor's results, newest or oldest first. */

import { z } from 'zod';
import type { CheckStatus } from '../../contracts/outcome';
import type { ListOrder } from '../../contracts/records';
import { timeOfId } from '../../domain/definitions/ids';
import type { ResultResponse } from '../../schemas/responses/checks';
import { decodeCursor, encodeCursor } from '../lists/cursor';
import type { ListPage, ListRequest } from '../lists/list-page';
import type { Dependencies } from '../ports/dependencies';
import { regionsWithResults } from '../regions/regions-with-results';
import { monitorPort } from '../resources/resource-port';
import { findResource } from '../resources/save-resource';
import { presentResult } from '../results/present-result';

export interface ResultsRequest extends ListRequest {
  readonly id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly region?: string | undefined;
  readonly status?: CheckStatus | undefined;
  /** Default: newest. */
  readonly order?: ListOrder | undefined;
  /** Only the results that carried out this request. */
  readonly requestId?: string | undefined;
}

/** Slot, region and id of the last result of the page before. */
const RESULT_POSITION = z.tuple([z.number(), z.string(), z.string()]);

/** Between the clock that made the id and the one that checked. */
const CLOCKS_DIFFER_MS = 60_000;
/** Whoever asks while no orchestrator runs is heard when one is back. */
const CARRIED_OUT_WITHIN_MS = 24 * 3_600_000;

/** Stable while new results arrive. `from` is included, `to` is not. */
export async function monitorResults(
  needs: Dependencies,
  accountId: string,
  { limit, cursor, ...filters }: ResultsRequest,
): Promise<ListPage<ResultResponse>> {
  const scope = { accountId, list: 'results', ...filters };
  const monitor = await findResource(monitorPort(needs), accountId, filters.id);
  const position = decodeCursor(scope, cursor, RESULT_POSITION);
  const page = await needs.stores.results.page(accountId, {
    monitorId: monitor.id,
    regions: await regionsWithResults(needs, monitor, filters.region),
    ...rangeOf(filters),
    requestId: filters.requestId,
    status: filters.status ?? null,
    isOldestFirst: filters.order === 'oldest',
    limit,
    after: position === null ? null : { slotMs: position[0], region: position[1], id: position[2] },
  });
  const last = page.items.at(-1);
  const hasNext = page.hasMore && last !== undefined;
  return {
    data: page.items.map(presentResult),
    nextCursor: hasNext ? encodeCursor(scope, [last.slotMs, last.region, last.id]) : null,
  };
}

/** A request is looked for near the time of its id, so that few results are read. */
function rangeOf({ from, to, requestId }: Pick<ResultsRequest, 'from' | 'to' | 'requestId'>) {
  if (requestId === undefined) return { fromMs: from ?? null, toMs: to ?? null };
  const atMs = timeOfId(requestId);
  return {
    fromMs: Math.max(from ?? 0, atMs - CLOCKS_DIFFER_MS),
    toMs: Math.min(to ?? Number.POSITIVE_INFINITY, atMs + CARRIED_OUT_WITHIN_MS),
  };
}
