/** Reads one scenario with its status. */
import type { Dependencies } from '../ports/dependencies';
import { scenarioPort } from '../resources/resource-port';
import { findRow } from '../resources/save-resource';
import { showScenario } from '../resources/show-resource';
import type { ScenarioAnswer } from './present-scenario';

/** Throws `not_found`, also for an id of another account. */
export async function getScenario(
  needs: Dependencies,
  accountId: string,
  id: string,
): Promise<ScenarioAnswer> {
  const row = await findRow(scenarioPort(needs), accountId, id);
  return showScenario(needs, row);
}
