/** A page of a scenario's runs, newest or oldest first. */

import type { ListOrder, RunRecord } from '../../contracts/records';
import type { RunResponse } from '../../schemas/responses/checks';
import type { ListPage, ListRequest } from '../lists/list-page';
import { readItems } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { scenarioPort } from '../resources/resource-port';
import { findResource } from '../resources/save-resource';
import { presentRun } from './present-run';

export interface RunsRequest extends ListRequest {
  readonly id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly region?: string | undefined;
  readonly status?: readonly RunRecord['status'][] | undefined;
  readonly trigger?: RunRecord['trigger'] | undefined;
  /** Default: newest. */
  readonly order?: ListOrder | undefined;
}

/** Stable while new runs arrive. `from` is included, `to` is not. */
export async function listRuns(
  needs: Dependencies,
  accountId: string,
  { limit, cursor, ...filters }: RunsRequest,
): Promise<ListPage<RunResponse>> {
  const range = { limit, cursor };
  const scope = { accountId, list: 'runs', ...filters };
  await findResource(scenarioPort(needs), accountId, filters.id);
  const wanted = {
    scenarioId: filters.id,
    fromMs: filters.from ?? null,
    toMs: filters.to ?? null,
    region: filters.region ?? null,
    status: filters.status ?? null,
    trigger: filters.trigger ?? null,
    isOldestFirst: filters.order === 'oldest',
  };
  const { items, nextCursor } = await readItems(scope, range, {
    read: (query) => needs.stores.runs.page(accountId, { ...wanted, ...query }),
    idOf: ({ runId }) => runId,
  });
  return { data: items.map((run) => presentRun(needs, run)), nextCursor };
}
