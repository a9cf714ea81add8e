/** Ends the pause of a scenario; it goes on at its next slot. */
import type { Dependencies } from './dependencies';
import { findStatus } from './find-status';
import { resumeChange } from './pause-change';
import { presentScenario, type ScenarioAnswer } from './present-scenario';
import { scenarioPort } from './resource-port';
import { findLiveRow, saveChange } from './save-resource';

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
  return presentScenario(needs, row, await findStatus(needs, row));
}
