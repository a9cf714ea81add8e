/** A page of scenarios, newest first, with their statuses. */

import type { ListPage } from '../lists/list-page';
import type { Dependencies } from '../ports/dependencies';
import { findStatuses } from '../resources/find-status';
import { listResources, type ResourceListRequest } from '../resources/list-resources';
import { findRecentSlots, type RecentRequest, type WithRecent } from '../resources/recent-slots';
import { withoutGoneChannels } from '../resources/resolve-alerts';
import { scenarioPort } from '../resources/resource-port';
import { presentScenario, type ScenarioAnswer } from './present-scenario';

/**
 * Two queries, or three, whatever the size of the page, and some more when it is filtered by status or health; recent slots
 * are one more for each item and region whose results are not the ones read before.
 */
export async function listScenarios(
  needs: Dependencies,
  accountId: string,
  { include, ...request }: ResourceListRequest & RecentRequest,
): Promise<ListPage<ScenarioAnswer & WithRecent>> {
  const query = { ...request, accountId };
  const { rows: stored, nextCursor } = await listResources(needs, scenarioPort(needs), query);
  const rows = await withoutGoneChannels(needs, accountId, stored);
  const statusOf = await findStatuses(needs, accountId, rows);
  const recentOf = include === undefined ? null : await findRecentSlots(needs, rows, statusOf);
  return {
    data: rows.map((row) => ({
      ...presentScenario(needs, row, statusOf.get(row.id) ?? null),
      ...(recentOf !== null && { recent: recentOf.get(row.id) ?? [] }),
    })),
    nextCursor,
  };
}
