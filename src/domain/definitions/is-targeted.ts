/** What a maintenance window is for. Pure. */
import type { MaintenanceTarget } from '../../contracts/maintenance';

export interface Targeted {
  readonly id: string;
  readonly tags: readonly string[];
  readonly groupKey: string;
}

export function isTargeted(
  { ids, tags, groups, all }: MaintenanceTarget,
  { id, tags: own, groupKey }: Targeted,
): boolean {
  if (all || ids.includes(id) || tags.some((tag) => own.includes(tag))) return true;
  return groups.some((group) => groupKey === group || groupKey.startsWith(`${group}/`));
}
