/** Ends the pause of a monitor; it goes on at its next slot. */
import type { Dependencies } from './dependencies';
import { findStatus } from './find-status';
import { resumeChange } from './pause-change';
import { type MonitorAnswer, presentMonitor } from './present-monitor';
import { monitorPort } from './resource-port';
import { findLiveRow, saveChange } from './save-resource';

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
  return presentMonitor(needs, row, await findStatus(needs, row));
}
