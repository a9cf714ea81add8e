/** Pauses a monitor: nothing is sent any more until it is resumed or the pause ends by itself. */
import type { Dependencies } from '../ports/dependencies';
import { type PauseRequest, pauseNow, requireFutureEnd } from '../resources/pause-change';
import { monitorPort } from '../resources/resource-port';
import { findLiveRow, saveChange } from '../resources/save-resource';
import { showMonitor } from '../resources/show-resource';
import type { MonitorAnswer } from './present-monitor';

/** Idempotent; answers after the pause took effect. */
export async function pauseMonitor(
  needs: Dependencies,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  request: PauseRequest,
): Promise<MonitorAnswer> {
  requireFutureEnd(request, needs.clock.now());
  const port = monitorPort(needs);
  const row = await saveChange(needs, port, {
    find: () => findLiveRow(port, accountId, id),
    change: (previous) => pauseNow(previous, request, needs.clock.now()),
  });
  return showMonitor(needs, row);
}
