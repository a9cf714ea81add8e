/** Replaces the whole definition of a monitor. A run that has begun keeps the version it began with. */
import type { MonitorBody } from '../schemas/monitor';
import { composeMonitorFields, type MonitorFields } from './compose-monitor';
import type { Dependencies } from './dependencies';
import { findStatus } from './find-status';
import { pauseChange } from './pause-change';
import { type MonitorAnswer, presentMonitor } from './present-monitor';
import { keepingSealed } from './resolve-alerts';
import { monitorPort } from './resource-port';
import type { MonitorRow } from './rows';
import { findLiveRow, saveChange } from './save-resource';
import { type Sealed, sealVariables } from './secret-variables';

export interface ReplaceMonitor {
  readonly id: string;
  readonly body: MonitorBody;
  /** null: the pause stays as it is. */
  readonly isEnabled: boolean | null;
  /** Throws when the stored version is not the one that the caller knows. */
  readonly accept: (version: number) => void;
}

/** Keeps the version when nothing changes; a changed interval begins a new grid of slots. */
export async function replaceMonitor(
  needs: Dependencies,
  accountId: string,
  { id, body, isEnabled, accept }: ReplaceMonitor,
): Promise<MonitorAnswer> {
  const port = monitorPort(needs);
  const find = async (): Promise<MonitorRow> => {
    const row = await findLiveRow(port, accountId, id);
    accept(row.version);
    return row;
  };
  await find();
  const fields = await composeMonitorFields(needs, accountId, body);
  const nowMs = needs.clock.now();
  const row = await saveChange(needs, port, {
    find,
    change: (previous) => {
      const sealed = sealVariables(needs, previous, fields);
      return pauseChange(withFields(previous, sealed, nowMs), isEnabled, nowMs);
    },
  });
  return presentMonitor(needs, row, await findStatus(needs, row));
}

function withFields(row: MonitorRow, fields: Sealed<MonitorFields>, nowMs: number): MonitorRow {
  const isSameGrid = row.intervalSeconds === fields.intervalSeconds;
  const kept = keepingSealed(fields, row.alertTargets);
  return { ...row, ...fields, ...kept, anchorMs: isSameGrid ? row.anchorMs : nowMs };
}
