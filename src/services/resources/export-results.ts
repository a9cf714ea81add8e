/**
 * A whole range of results or runs, for taking away. It is read page by page as the reader goes on,
 * so that memory does not grow with the range; nothing is collected here.
 */

import type { ListPage, ListRequest } from '../lists/list-page';
import { monitorResults, type ResultsRequest } from '../monitors/monitor-results';
import type { Dependencies } from '../ports/dependencies';
import { listRuns, type RunsRequest } from '../scenarios/list-runs';
import type { RunResponse } from '../scenarios/present-run';
import type { ResultResponse } from './present-result';

/** The pages of a list, each read when it is asked for. */
export type Pages<Item> = AsyncIterable<readonly Item[]>;

const RESULTS_PER_READ = 500;
/** A run has up to 50 steps, each with a preview of its answer. */
const RUNS_PER_READ = 100;

/** Newest first. Rejects before anything is read when there is no such monitor. */
export function exportResults(
  needs: Dependencies,
  accountId: string,
  filters: Omit<ResultsRequest, keyof ListRequest>,
): Promise<Pages<ResultResponse>> {
  return pagesOf((cursor) =>
    monitorResults(needs, accountId, { ...filters, cursor, limit: RESULTS_PER_READ }),
  );
}

/** Newest first. Rejects before anything is read when there is no such scenario. */
export function exportRuns(
  needs: Dependencies,
  accountId: string,
  filters: Omit<RunsRequest, keyof ListRequest>,
): Promise<Pages<RunResponse>> {
  return pagesOf((cursor) =>
    listRuns(needs, accountId, { ...filters, cursor, limit: RUNS_PER_READ }),
  );
}

/** The first page is read at once, so that a refusal is one before anything is sent. */
async function pagesOf<Item>(
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
): Promise<Pages<Item>> {
  return goOn(await read(undefined), read);
}

async function* goOn<Item>(
  first: ListPage<Item>,
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
): AsyncGenerator<readonly Item[]> {
  let { data, nextCursor } = first;
  yield data;
  while (nextCursor !== null) {
    ({ data, nextCursor } = await read(nextCursor));
    yield data;
  }
}
