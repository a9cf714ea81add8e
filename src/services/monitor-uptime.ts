/** Uptime of a monitor over a window. */
import type { Dependencies } from './dependencies';
import { presentUptime, type UptimeAnswer } from './present-uptime';
import { monitorPort } from './resource-port';
import { resourceUptime, type UptimeRequest } from './resource-uptime';
import { findRow } from './save-resource';

export async function monitorUptime(
  needs: Dependencies,
  accountId: string,
  request: UptimeRequest,
): Promise<UptimeAnswer & { readonly monitorId: string }> {
  const row = await findRow(monitorPort(needs), accountId, request.id);
  return { monitorId: row.id, ...presentUptime(await resourceUptime(needs, row, request)) };
}
