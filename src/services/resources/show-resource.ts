/**
 * A stored monitor or scenario as it is answered: with what checks last wrote about it, and without
 * the channels that are gone. It changes nothing.
 */

import { type MonitorAnswer, presentMonitor } from '../monitors/present-monitor';
import type { Dependencies } from '../ports/dependencies';
import type { MonitorRow, ResourceRow, ScenarioRow } from '../ports/rows';
import { presentScenario, type ScenarioAnswer } from '../scenarios/present-scenario';
import { findStatus } from './find-status';
import { withoutGoneChannels } from './resolve-alerts';

export async function showMonitor(needs: Dependencies, row: MonitorRow): Promise<MonitorAnswer> {
  const { shown, status } = await read(needs, row);
  return presentMonitor(needs, shown, status);
}

export async function showScenario(needs: Dependencies, row: ScenarioRow): Promise<ScenarioAnswer> {
  const { shown, status } = await read(needs, row);
  return presentScenario(needs, shown, status);
}

async function read<Row extends ResourceRow>(needs: Dependencies, row: Row) {
  const [status, [shown = row]] = await Promise.all([
    findStatus(needs, row),
    withoutGoneChannels(needs, row.accountId, [row]),
  ]);
  return { shown, status };
}
