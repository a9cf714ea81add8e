/** A whole range of results, for taking away. */
import type { ResultResponse } from '../../schemas/responses/checks';
import type { ListRequest } from '../lists/list-page';
import { type Pages, readPages } from '../lists/read-pages';
import type { Dependencies } from '../ports/dependencies';
import { monitorResults, type ResultsRequest } from './monitor-results';

const RESULTS_PER_READ = 500;

/** Newest first. Rejects before anything is read when there is no such monitor. */
export function exportResults(
  needs: Dependencies,
  accountId: string,
  filters: Omit<ResultsRequest, keyof ListRequest>,
): Promise<Pages<ResultResponse>> {
  return readPages((cursor) =>
    monitorResults(needs, accountId, { ...filters, cursor, limit: RESULTS_PER_READ }),
  );
}
