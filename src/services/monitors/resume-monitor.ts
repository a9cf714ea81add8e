/** Ends the pause of a monitor; it goes on at its next slot. */
import type { Dependencies } from '../ports/dependencies';
import { resumeChange } from '../resources/pause-change';
import { monitorPort } from '../resources/resource-port';
import { findLiveRow, saveChange } from '../resources/save-resource';
import { showMonitor } from '../resources/show-resource';
import type { MonitorAnswer } from './present-monitor';

/** Idempotent; answers after it took effect. */
export async function resumeMonitor(
  needs: Dependencies,
  accountId: string,
  id: string,
): Promise<MonitorAnswer> {
  const port = monitorPort(needs);
  const row = await saveChange(needs, port, {
    find: () => findLiveRow(port, accountId, id),
    change: resumeChange,
  });
  return showMonitor(needs, row);
}
