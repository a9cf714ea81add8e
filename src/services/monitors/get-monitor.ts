/** Reads one monitor with its status. */
import type { Dependencies } from '../ports/dependencies';
import { monitorPort } from '../resources/resource-port';
import { findRow } from '../resources/save-resource';
import { showMonitor } from '../resources/show-resource';
import type { MonitorAnswer } from './present-monitor';

/** Throws `not_found`, also for an id of another account. */
export async function getMonitor(
  needs: Dependencies,
  accountId: string,
  id: string,
): Promise<MonitorAnswer> {
  const row = await findRow(monitorPort(needs), accountId, id);
  return showMonitor(needs, row);
}
