/** A page of a scenario's runs, newest first. */

import type { RunRecord } from '../../contracts/records';
import type { RunResponse } from '../../schemas/responses/checks';
import { decodeCursor, encodeCursor, ID_POSITION } from '../lists/cursor';
import type { ListPage, ListRequest } from '../lists/list-page';
import type { Dependencies } from '../ports/dependencies';
import { scenarioPort } from '../resources/resource-port';
import { findRow } from '../resources/save-resource';
import { presentRun } from './present-run';

export interface RunsRequest extends ListRequest {
  readonly id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly region?: string | undefined;
  readonly status?: RunRecord['status'] | undefined;
  readonly trigger?: RunRecord['trigger'] | undefined;
}

/** Stable while new runs arrive. `from` is included, `to` is not. */
export async function listRuns(
  needs: Dependencies,
  accountId: string,
  { limit, cursor, ...filters }: RunsRequest,
): Promise<ListPage<RunResponse>> {
  const scope = { accountId, list: 'runs', ...filters };
  await findRow(scenarioPort(needs), accountId, filters.id);
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const page = await needs.stores.runs.page(accountId, {
    scenarioId: filters.id,
    fromMs: filters.from ?? null,
    toMs: filters.to ?? null,
    region: filters.region ?? null,
    status: filters.status ?? null,
    trigger: filters.trigger ?? null,
    limit,
    beforeId,
  });
  const last = page.rows.at(-1);
  return {
    data: page.rows.map((run) => presentRun(needs, run)),
    nextCursor: page.hasMore && last !== undefined ? encodeCursor(scope, [last.runId]) : null,
  };
}
