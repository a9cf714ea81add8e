/** Ends the pause of a scenario; it goes on at its next slot. */
import type { Dependencies } from './dependencies';
import { resumeChange } from './pause-change';
import type { ScenarioAnswer } from './present-scenario';
import { scenarioPort } from './resource-port';
import { findLiveRow, saveChange } from './save-resource';
import { showScenario } from './show-resource';

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
