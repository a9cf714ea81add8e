/** Finds the resources that a maintenance window covers. Pure. */
import type { MaintenanceTarget, OutsideMode } from '../../contracts/maintenance';

export interface Targeted {
  readonly id: string;
  readonly tags: readonly string[];
  readonly groupKey: string;
  /** Key of the hours of the resource. null if there is none. Absent if the caller does not select by hours. */
  readonly hours?: string | null;
  readonly outside?: OutsideMode;
}

export function isTargeted(
  { ids, tags, groups, all, outsideOf }: MaintenanceTarget,
  { id, tags: own, groupKey, hours, outside }: Targeted,
): boolean {
  if (all || ids.includes(id) || tags.some((tag) => own.includes(tag))) return true;
  if (outsideOf !== undefined) return outsideOf.hours === hours && outsideOf.outside === outside;
  return groups.some((group) => groupKey === group || groupKey.startsWith(`${group}/`));
}
