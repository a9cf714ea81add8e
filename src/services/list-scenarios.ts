/** A page of scenarios, newest first, with their statuses. */
import type { Dependencies } from './dependencies';
import { findStatuses } from './find-status';
import type { ListPage } from './list-page';
import { listResources, type ResourceListRequest } from './list-resources';
import { presentScenario, type ScenarioAnswer } from './present-scenario';
import { scenarioPort } from './resource-port';

/** Two queries whatever the size of the page, and some more when it is filtered by health. */
export async function listScenarios(
  needs: Dependencies,
  accountId: string,
  request: ResourceListRequest,
): Promise<ListPage<ScenarioAnswer>> {
  const query = { ...request, accountId };
  const { rows, nextCursor } = await listResources(needs, scenarioPort(needs), query);
  const statusOf = await findStatuses(needs, accountId, rows);
  return {
    data: rows.map((row) => presentScenario(needs, row, statusOf.get(row.id) ?? null)),
    nextCursor,
  };
}
