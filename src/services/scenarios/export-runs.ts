/** A whole range of runs, for taking away. */
import type { RunResponse } from '../../schemas/responses/checks';
import type { ListRequest } from '../lists/list-page';
import { type Pages, readPages } from '../lists/read-pages';
import type { Dependencies } from '../ports/dependencies';
import { listRuns, type RunsRequest } from './list-runs';

/** A run has up to 50 steps, each with a preview of its response. */
const RUNS_PER_READ = 100;

/** Newest first. Rejects before anything is read when there is no such scenario. */
export function exportRuns(
  needs: Dependencies,
  accountId: string,
  filters: Omit<RunsRequest, keyof ListRequest>,
): Promise<Pages<RunResponse>> {
  return readPages((cursor) =>
    listRuns(needs, accountId, { ...filters, cursor, limit: RUNS_PER_READ }),
  );
}
