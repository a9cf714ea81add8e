/** Uptime of a scenario over a window; latency is how long its passing runs took. */
import type { Dependencies } from '../ports/dependencies';
import { presentUptime, type UptimeAnswer } from '../resources/present-uptime';
import { scenarioPort } from '../resources/resource-port';
import { resourceUptime, type UptimeRequest } from '../resources/resource-uptime';
import { findRow } from '../resources/save-resource';

export async function scenarioUptime(
  needs: Dependencies,
  accountId: string,
  request: UptimeRequest,
): Promise<UptimeAnswer & { readonly scenarioId: string }> {
  const row = await findRow(scenarioPort(needs), accountId, request.id);
  return { scenarioId: row.id, ...presentUptime(await resourceUptime(needs, row, request)) };
}
