/** Creates a scenario: stored, then started; its first run follows at once. */
import type { ScenarioBody } from '../../schemas/scenario';
import type { Dependencies } from '../ports/dependencies';
import { scenarioPort } from '../resources/resource-port';
import { saveNew } from '../resources/save-resource';
import { sealVariables } from '../secrets/secret-variables';
import { composeScenarioFields, newScenarioRow } from './compose-scenario';
import { presentScenario, type ScenarioAnswer } from './present-scenario';

/** Throws `key_taken`, `unknown_region`, `blocked_target` or `engine_unavailable`; nothing is stored then. */
export async function createScenario(
  needs: Dependencies,
  accountId: string,
  body: ScenarioBody,
): Promise<ScenarioAnswer> {
  const fields = await composeScenarioFields(needs, { accountId, stored: null }, body);
  const identity = { id: needs.newId('scenario'), accountId, nowMs: needs.clock.now() };
  const row = newScenarioRow(identity, sealVariables(needs, identity, fields), body.enabled);
  await saveNew(needs, scenarioPort(needs), row);
  return presentScenario(needs, row, null);
}
