/** Uptime of a monitor over a window. */
import type { Dependencies } from '../ports/dependencies';
import { presentUptime, type UptimeAnswer } from '../resources/present-uptime';
import { monitorPort } from '../resources/resource-port';
import { resourceUptime, type UptimeRequest } from '../resources/resource-uptime';
import { findRow } from '../resources/save-resource';

export async function monitorUptime(
  needs: Dependencies,
  accountId: string,
  request: UptimeRequest,
): Promise<UptimeAnswer & { readonly monitorId: string }> {
  const row = await findRow(monitorPort(needs), accountId, request.id);
  return { monitorId: row.id, ...presentUptime(await resourceUptime(needs, row, request)) };
}
