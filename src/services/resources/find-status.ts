/** Reads what checks last wrote about resources, and whether maintenance holds them now. */
import { modeAt } from '../../domain/health/maintenance';
import { slotAfter } from '../../domain/health/schedule';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-window';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import { spansOf } from '../maintenance/maintenance-plans';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** null: nothing is known yet, or the resource is being deleted. */
export async function findStatus(needs: Needs, row: Resource): Promise<StoredStatus | null> {
  const statuses = await findStatuses(needs, row.accountId, [row]);
  return statuses.get(row.id) ?? null;
}

/** The statuses of a page, by id; two queries. */
export async function findStatuses(
  { stores, clock }: Needs,
  accountId: string,
  rows: readonly Resource[],
): Promise<ReadonlyMap<string, StoredStatus>> {
  if (rows.length === 0) return new Map();
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const [statuses, windows] = await Promise.all([
    stores.statuses.findMany(accountId, [...rowOf.keys()]),
    stores.maintenanceWindows.listAll(accountId),
  ]);
  const nowMs = clock.now();
  return new Map(
    statuses.map((status) => {
      const row = rowOf.get(status.id);
      return [status.id, row === undefined ? status : inForce(status, { row, windows, nowMs })];
    }),
  );
}

interface Now {
  readonly row: Resource;
  readonly windows: readonly MaintenanceWindow[];
  readonly nowMs: number;
}

/** By the calendar: the last slot knows nothing of what has begun or ended since. */
function inForce(status: StoredStatus, { row, windows, nowMs }: Now): StoredStatus {
  const spans = spansOf(windows, row);
  const mode = modeAt({ spans }, nowMs);
  const inMaintenance = mode !== null;
  if (mode !== 'pause' || status.nextSlotMs === null) return { ...status, inMaintenance };
  const ends = spans.map(({ toMs }) => toMs).sort((a, b) => a - b);
  const endMs = ends.find((toMs) => toMs > nowMs && modeAt({ spans }, toMs) !== 'pause') ?? nowMs;
  const grid = { anchorMs: row.anchorMs, intervalMs: row.intervalSeconds * 1_000 };
  return { ...status, inMaintenance, nextSlotMs: slotAfter(grid, endMs - 1) };
}
