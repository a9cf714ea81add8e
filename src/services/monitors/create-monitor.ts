/** Creates a monitor: stored, then started; its first check follows at once. */
import type { MonitorBody } from '../../schemas/monitor';
import type { Dependencies } from '../ports/dependencies';
import { monitorPort } from '../resources/resource-port';
import { saveNew } from '../resources/save-resource';
import { sealVariables } from '../secrets/secret-variables';
import { composeMonitorFields, newMonitorRow } from './compose-monitor';
import { type MonitorAnswer, presentMonitor } from './present-monitor';

/** Throws `key_taken`, `unknown_region`, `blocked_target` or `engine_unavailable`; nothing is stored then. */
export async function createMonitor(
  needs: Dependencies,
  accountId: string,
  body: MonitorBody,
): Promise<MonitorAnswer> {
  const fields = await composeMonitorFields(needs, { accountId, stored: null }, body);
  const identity = { id: needs.newId('monitor'), accountId, nowMs: needs.clock.now() };
  const row = newMonitorRow(identity, sealVariables(needs, identity, fields), body.enabled);
  await saveNew(needs, monitorPort(needs), row);
  return presentMonitor(needs, row, null);
}
