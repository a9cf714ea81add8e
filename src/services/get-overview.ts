/** How an account stands, in numbers: what the first page shows. It reads no definition. */
import type { Dependencies } from './dependencies';
import { effectiveOccurrences, isTargeted } from './maintenance-plans';
import type { MaintenanceTarget, MaintenanceWindowRow } from './maintenance-store';
import type { TallyRow, TallyStatusRow } from './overview-store';
import { isPausedAt } from './pause-state';
import type { ServiceFields } from './present-resource';

type Status = ServiceFields['status'];
type ByStatus = Readonly<Record<Status, number>>;

interface Tally {
  readonly total: number;
  readonly byStatus: ByStatus;
}

interface Overview {
  readonly monitors: Tally;
  readonly scenarios: Tally;
  /** Of monitors, by group key. */
  readonly groups: readonly (Tally & { readonly groupKey: string })[];
  readonly openIncidents: number;
}

interface Counted {
  readonly groupKey: string;
  readonly status: Status;
}

/** Five small reads, whatever the number of groups. */
export async function getOverview(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  accountId: string,
): Promise<Overview> {
  const { overview } = stores;
  const [monitorRows, scenarioRows, statuses, openIncidents, windows] = await Promise.all([
    overview.resources(accountId, 'monitor'),
    overview.resources(accountId, 'scenario'),
    overview.statuses(accountId),
    overview.openIncidents(accountId),
    stores.maintenanceWindows.listAll(accountId),
  ]);
  const statusOf = new Map(statuses.map((status) => [status.id, status]));
  const nowMs = clock.now();
  const now = { nowMs, maintained: maintainedAt(windows, nowMs) };
  const counted = (rows: readonly TallyRow[]): readonly Counted[] =>
    rows.map((row) => ({
      groupKey: row.groupKey,
      status: shownStatus(row, statusOf.get(row.id), now),
    }));
  const monitors = counted(monitorRows);
  return {
    monitors: tallyOf(monitors),
    scenarios: tallyOf(counted(scenarioRows)),
    groups: groupsOf(monitors),
    openIncidents,
  };
}

interface Now {
  readonly nowMs: number;
  /** What is in maintenance. */
  readonly maintained: readonly MaintenanceTarget[];
}

function maintainedAt(
  windows: readonly MaintenanceWindowRow[],
  nowMs: number,
): readonly MaintenanceTarget[] {
  return windows
    .filter((window) =>
      effectiveOccurrences(window).some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs),
    )
    .map(({ target }) => target);
}

/** As presentService tells it. */
function shownStatus(row: TallyRow, status: TallyStatusRow | undefined, now: Now): Status {
  if (isPausedAt(row, now.nowMs)) return 'paused';
  if (status === undefined) return 'pending';
  return now.maintained.some((target) => isTargeted(target, row)) ? 'maintenance' : status.health;
}

function groupsOf(counted: readonly Counted[]): Overview['groups'] {
  const members = new Map<string, Counted[]>();
  for (const one of counted) {
    const others = members.get(one.groupKey);
    if (others === undefined) members.set(one.groupKey, [one]);
    else others.push(one);
  }
  return [...members]
    .map(([groupKey, group]) => ({ groupKey, ...tallyOf(group) }))
    .sort((a, b) => (a.groupKey < b.groupKey ? -1 : 1));
}

function tallyOf(counted: readonly Counted[]): Tally {
  const byStatus: Record<Status, number> = {
    up: 0,
    degraded: 0,
    down: 0,
    maintenance: 0,
    paused: 0,
    pending: 0,
    unknown: 0,
  };
  for (const { status } of counted) byStatus[status] += 1;
  return { total: counted.length, byStatus };
}
