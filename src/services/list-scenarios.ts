/** A page of scenarios, newest first, with their statuses. */
import { decodeCursor, encodeCursor, ID_POSITION } from './cursor';
import type { Dependencies } from './dependencies';
import { findStatuses } from './find-status';
import type { ListPage, ListRequest } from './list-page';
import { presentScenario, type ScenarioAnswer } from './present-scenario';

/** Two queries whatever the size of the page; stable while new scenarios arrive. */
export async function listScenarios(
  needs: Dependencies,
  accountId: string,
  { limit, cursor }: ListRequest,
): Promise<ListPage<ScenarioAnswer>> {
  const scope = { accountId, list: 'scenarios' };
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const page = await needs.stores.scenarios.list(accountId, { limit, beforeId });
  const statusOf = await findStatuses(needs, accountId, page.rows);
  const last = page.rows.at(-1);
  return {
    data: page.rows.map((row) => presentScenario(needs, row, statusOf.get(row.id) ?? null)),
    nextCursor: page.hasMore && last !== undefined ? encodeCursor(scope, [last.id]) : null,
  };
}
