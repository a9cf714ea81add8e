/** A page of monitors, newest first, with their statuses. */
import type { Dependencies } from './dependencies';
import { findStatuses } from './find-status';
import type { ListPage } from './list-page';
import { listResources, type ResourceListRequest } from './list-resources';
import { type MonitorAnswer, presentMonitor } from './present-monitor';
import { monitorPort } from './resource-port';

/** Two queries whatever the size of the page, and some more when it is filtered by health. */
export async function listMonitors(
  needs: Dependencies,
  accountId: string,
  request: ResourceListRequest,
): Promise<ListPage<MonitorAnswer>> {
  const query = { ...request, accountId };
  const { rows, nextCursor } = await listResources(needs, monitorPort(needs), query);
  const statusOf = await findStatuses(needs, accountId, rows);
  return {
    data: rows.map((row) => presentMonitor(needs, row, statusOf.get(row.id) ?? null)),
    nextCursor,
  };
}
