/** Pauses a scenario: nothing is sent any more until it is resumed or the pause ends by itself. */
import type { Dependencies } from './dependencies';
import { findStatus } from './find-status';
import { type PauseRequest, pauseNow } from './pause-change';
import { presentScenario, type ScenarioAnswer } from './present-scenario';
import { scenarioPort } from './resource-port';
import { findLiveRow, saveChange } from './save-resource';

/** Idempotent; answers after the pause took effect. */
export async function pauseScenario(
  needs: Dependencies,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  request: PauseRequest,
): Promise<ScenarioAnswer> {
  const port = scenarioPort(needs);
  const row = await saveChange(needs, port, {
    find: () => findLiveRow(port, accountId, id),
    change: (previous) => pauseNow(previous, request, needs.clock.now()),
  });
  return presentScenario(needs, row, await findStatus(needs, row));
}
