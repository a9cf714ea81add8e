/** Ends the pause of a scenario; it goes on at its next slot. */
import type { Dependencies } from '../ports/dependencies';
import { resumeChange } from '../resources/pause-change';
import { scenarioPort } from '../resources/resource-port';
import { findLiveRow, saveChange } from '../resources/save-resource';
import { showScenario } from '../resources/show-resource';
import type { ScenarioAnswer } from './present-scenario';

/** Idempotent; answers after it took effect. */
export async function resumeScenario(
  needs: Dependencies,
  accountId: string,
  id: string,
): Promise<ScenarioAnswer> {
  const port = scenarioPort(needs);
  const row = await saveChange(needs, port, {
    find: () => findLiveRow(port, accountId, id),
    change: resumeChange,
  });
  return showScenario(needs, row);
}
