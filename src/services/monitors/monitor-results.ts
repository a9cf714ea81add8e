/** Reads results of a monitor: a page, a single result, or a range for export. */
import { z } from 'zod';
import type { CheckStatus } from '../../contracts/outcome';
import type { ListOrder } from '../../contracts/records';
import { readIdTime } from '../../domain/definitions/ids';
import { isPassing, withEvidence } from '../../domain/health/evidence';
import { AppError } from '../../platform/errors';
import type { ResultResponse } from '../../schemas/responses/checks';
import { decodeCursor, encodeCursor } from '../lists/cursor';
import { type ListPage, type ListRequest, type Pages, readPages } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { listRegionsWithResults } from '../regions/regions';
import { createMonitorPort } from '../resources/resource-port';
import { findResource } from '../resources/save-resource';
import { presentResult } from '../results/present-result';

export interface ResultsRequest extends ListRequest {
  readonly id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly region?: string | undefined;
  readonly status?: CheckStatus | undefined;
  /** The order. The default is newest first. */
  readonly order?: ListOrder | undefined;
  /** The id of a “check now” request. Selects only the results of this request. */
  readonly requestId?: string | undefined;
}

/** The position of the last result on the previous page: its slot, region and id. */
const RESULT_POSITION = z.tuple([z.number(), z.string(), z.string()]);

/** Maximum difference between the clock that created the id of a request and the clock of the check. */
const CLOCKS_DIFFER_MS = 60_000;
/** Maximum time between a request and its checks. They wait if no orchestrator is running. */
const CARRIED_OUT_WITHIN_MS = 24 * 3_600_000;

/** Returns a page of results. Pages stay stable while new results arrive. `from` is inclusive, and `to` exclusive. */
export async function listResults(
  needs: Dependencies,
  accountId: string,
  { limit, cursor, ...filters }: ResultsRequest,
): Promise<ListPage<ResultResponse>> {
  const scope = { accountId, list: 'results', ...filters };
  const monitor = await findResource(createMonitorPort(needs), accountId, filters.id);
  const position = decodeCursor(scope, cursor, RESULT_POSITION);
  const page = await needs.stores.results.page(accountId, {
    monitorId: monitor.id,
    regions: await listRegionsWithResults(needs, monitor, filters.region),
    ...readRange(filters),
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

/** Returns the range of slots. For a request, only slots near the time of its id are searched. */
function readRange({ from, to, requestId }: Pick<ResultsRequest, 'from' | 'to' | 'requestId'>) {
  if (requestId === undefined) return { fromMs: from ?? null, toMs: to ?? null };
  const atMs = readIdTime(requestId);
  return {
    fromMs: Math.max(from ?? 0, atMs - CLOCKS_DIFFER_MS),
    toMs: Math.min(to ?? Number.POSITIVE_INFINITY, atMs + CARRIED_OUT_WITHIN_MS),
  };
}

interface ResultRequest {
  readonly monitorId: string;
  readonly resultId: string;
}

/** Returns the result. Throws `not_found` if the result belongs to another monitor, or if its monitor was deleted. */
export async function getResult(
  needs: Dependencies,
  accountId: string,
  { monitorId, resultId }: ResultRequest,
): Promise<ResultResponse> {
  const { id } = await findResource(createMonitorPort(needs), accountId, monitorId);
  const result = await needs.stores.results.find(accountId, resultId);
  if (result === null || result.monitorId !== id)
    throw new AppError('not_found', 'There is no result with this id, or it is no longer kept.');
  if (result.outcome === null || !isPassing(result)) return presentResult(result);
  const { region } = result;
  const kept = { resourceId: id, region, resultId };
  const evidence = await needs.stores.evidence.find(accountId, kept);
  return presentResult({ ...result, outcome: withEvidence(result.outcome, evidence?.[0] ?? null) });
}

const RESULTS_PER_READ = 500;

/** Reads all matching results. The default order is newest first. Rejects at once if the monitor does not exist. */
export function exportResults(
  needs: Dependencies,
  accountId: string,
  filters: Omit<ResultsRequest, keyof ListRequest>,
): Promise<Pages<ResultResponse>> {
  return readPages((cursor) =>
    listResults(needs, accountId, { ...filters, cursor, limit: RESULTS_PER_READ }),
  );
}
