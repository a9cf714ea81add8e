/** Reads one monitor with its status. */
import type { Dependencies } from './dependencies';
import { findStatus } from './find-status';
import { type MonitorAnswer, presentMonitor } from './present-monitor';
import { monitorPort } from './resource-port';
import { findRow } from './save-resource';

/** Throws `not_found`, also for an id of another account. */
export async function getMonitor(
  needs: Dependencies,
  accountId: string,
  id: string,
): Promise<MonitorAnswer> {
  const row = await findRow(monitorPort(needs), accountId, id);
  return presentMonitor(needs, row, await findStatus(needs, row));
}
