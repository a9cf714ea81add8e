/** A page of monitors, newest first, with their statuses. */
import { decodeCursor, encodeCursor, ID_POSITION } from './cursor';
import type { Dependencies } from './dependencies';
import { findStatuses } from './find-status';
import type { ListPage, ListRequest } from './list-page';
import { type MonitorAnswer, presentMonitor } from './present-monitor';

/** Two queries whatever the size of the page; stable while new monitors arrive. */
export async function listMonitors(
  needs: Dependencies,
  accountId: string,
  { limit, cursor }: ListRequest,
): Promise<ListPage<MonitorAnswer>> {
  const scope = { accountId, list: 'monitors' };
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const page = await needs.stores.monitors.list(accountId, { limit, beforeId });
  const statusOf = await findStatuses(needs, accountId, page.rows);
  const last = page.rows.at(-1);
  return {
    data: page.rows.map((row) => presentMonitor(needs, row, statusOf.get(row.id) ?? null)),
    nextCursor: page.hasMore && last !== undefined ? encodeCursor(scope, [last.id]) : null,
  };
}
