/** Pauses a scenario: nothing is sent any more until it is resumed or the pause ends by itself. */
import type { Dependencies } from '../ports/dependencies';
import { type PauseRequest, pauseNow, requireFutureEnd } from '../resources/pause-change';
import { scenarioPort } from '../resources/resource-port';
import { findLiveRow, saveChange } from '../resources/save-resource';
import { showScenario } from '../resources/show-resource';
import type { ScenarioAnswer } from './present-scenario';

/** Idempotent; answers after the pause took effect. */
export async function pauseScenario(
  needs: Dependencies,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  request: PauseRequest,
): Promise<ScenarioAnswer> {
  requireFutureEnd(request, needs.clock.now());
  const port = scenarioPort(needs);
  const row = await saveChange(needs, port, {
    find: () => findLiveRow(port, accountId, id),
    change: (previous) => pauseNow(previous, request, needs.clock.now()),
  });
  return showScenario(needs, row);
}
