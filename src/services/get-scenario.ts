/** Reads one scenario with its status. */
import type { Dependencies } from './dependencies';
import { findStatus } from './find-status';
import { presentScenario, type ScenarioAnswer } from './present-scenario';
import { scenarioPort } from './resource-port';
import { findRow } from './save-resource';

/** Throws `not_found`, also for an id of another account. */
export async function getScenario(
  needs: Dependencies,
  accountId: string,
  id: string,
): Promise<ScenarioAnswer> {
  const row = await findRow(scenarioPort(needs), accountId, id);
  return presentScenario(needs, row, await findStatus(needs, row));
}
