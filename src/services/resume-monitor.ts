/** Ends the pause of a monitor; it goes on at its next slot. */
import type { Dependencies } from './dependencies';
import { resumeChange } from './pause-change';
import type { MonitorAnswer } from './present-monitor';
import { monitorPort } from './resource-port';
import { findLiveRow, saveChange } from './save-resource';
import { showMonitor } from './show-resource';

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
