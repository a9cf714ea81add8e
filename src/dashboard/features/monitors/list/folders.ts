/** One page of monitors in folders by group or domain, with what the whole folder holds. Pure. */
import type { ListedMonitor, Overview, Status } from '../../../shared/data/api-types';
import { WORST_FIRST } from '../../../shared/text/status-order';

type Tally = Overview['groups'][number];

export interface Folder {
  readonly groupKey: string;
  readonly monitors: readonly ListedMonitor[];
  readonly worst: Status;
  /** Of the whole folder, not only of this page. */
  readonly up: number;
  readonly total: number;
}

/** Folders by name; what the overview does not know yet is counted from the page. */
export function foldersOf(
  monitors: readonly ListedMonitor[],
  groups: readonly Tally[],
): readonly Folder[] {
  const byKey = new Map<string, ListedMonitor[]>();
  for (const monitor of monitors)
    byKey.set(monitor.groupKey, [...(byKey.get(monitor.groupKey) ?? []), monitor]);
  const tallies = new Map(groups.map((group) => [group.groupKey, group]));
  return [...byKey]
    .map(([groupKey, members]) => {
      const { total, byStatus } = tallies.get(groupKey) ?? tallyOf(members);
      return {
        groupKey,
        monitors: members,
        worst: WORST_FIRST.find((status) => (byStatus[status] ?? 0) > 0) ?? 'pending',
        up: byStatus.up ?? 0,
        total,
      };
    })
    .toSorted((left, right) => left.groupKey.localeCompare(right.groupKey));
}

function tallyOf(monitors: readonly ListedMonitor[]) {
  const byStatus: Partial<Record<Status, number>> = {};
  for (const { status } of monitors) byStatus[status] = (byStatus[status] ?? 0) + 1;
  return { total: monitors.length, byStatus };
}
