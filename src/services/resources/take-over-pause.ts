/**
 * Writes down that an operator paused or resumed a workflow in the engine itself, so that lists and
 * pages show what is so. What people saved through the API meanwhile is newer, and stays.
 */
import type { OperatorChangeOutcome } from '../../contracts/activities';
import type { OperatorChange, OperatorChangeRecord } from '../../contracts/records';
import type { Monitor } from '../../models/resources/monitors';
import type { Resource, ResourceStore } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import { pauseNow, resumeChange } from './pause-change';

const SUPERSEDED: OperatorChangeOutcome = { gone: false, version: null };

type RowsOf<Row extends Resource> = Pick<ResourceStore<Row>, 'find' | 'replace'>;

interface Rows {
  readonly monitors: RowsOf<Monitor>;
  readonly scenarios: RowsOf<Scenario>;
}

/** May be repeated: what the first call wrote is known again by its time. */
export async function takeOverPause(
  { monitors, scenarios }: Rows,
  record: OperatorChangeRecord,
): Promise<OperatorChangeOutcome> {
  return record.kind === 'monitor' ? write(monitors, record) : write(scenarios, record);
}

async function write<Row extends Resource>(
  rows: RowsOf<Row>,
  { accountId, id, version, change }: OperatorChangeRecord,
): Promise<OperatorChangeOutcome> {
  const row = await rows.find(accountId, id);
  if (row === null) return { gone: true, version: null };
  const next = { ...changed(row, change), version: version + 1, updatedAtMs: change.atMs };
  if (row.version === next.version && row.updatedAtMs === change.atMs)
    return { gone: false, version: next.version };
  if (row.version !== version || row.state === 'deleting') return SUPERSEDED;
  const isWritten = await rows.replace(accountId, next, version);
  return isWritten ? { gone: false, version: next.version } : SUPERSEDED;
}

function changed<Row extends Resource>(row: Row, { paused, reason, atMs }: OperatorChange): Row {
  if (!paused) return resumeChange(row);
  return { ...pauseNow(row, { reason: reason ?? undefined }, atMs), pausedUntilMs: null };
}
