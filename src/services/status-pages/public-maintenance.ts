/** Reads the maintenance that a status page shows: names and times only. */
import type { Targeted } from '../../domain/definitions/is-targeted';
import { DAY_MS } from '../../domain/health/summary';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import type { StatusPageItem } from '../../models/status-pages/status-pages';
import { listSpans } from '../maintenance/maintenance-plans';

export interface PublicMaintenance {
  readonly names: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  /** When the page first showed the maintenance. Never later than now. */
  readonly announcedAtMs: number;
  /** The time of the last change of the window, or `announcedAtMs` if that is later. */
  readonly changedAtMs: number;
}

const MAINTENANCE_WITHIN_MS = 14 * DAY_MS;
const MAINTENANCE_MAX = 10;

interface Shown {
  readonly windows: readonly MaintenanceWindow[];
  readonly nowMs: number;
  readonly resourceById: ReadonlyMap<string, Targeted>;
}

/** Returns one entry per time span, with the names of the affected items. */
export function listPublicMaintenance(
  { windows, resourceById, nowMs }: Shown,
  chosen: readonly StatusPageItem[],
): readonly PublicMaintenance[] {
  const byTime = new Map<string, PublicMaintenance>();
  for (const { id, name } of chosen) {
    const resource = resourceById.get(id);
    const spans = resource === undefined ? [] : listSpans(windows, resource);
    for (const { fromMs, toMs, windowId } of spans) {
      if (toMs <= nowMs || fromMs > nowMs + MAINTENANCE_WITHIN_MS) continue;
      const key = `${fromMs} ${toMs}`;
      const known = byTime.get(key);
      const window = windows.find((each) => each.id === windowId);
      // An occurrence of a recurring window is announced when the page first shows it.
      const shownAtMs = Math.max(window?.createdAtMs ?? fromMs, fromMs - MAINTENANCE_WITHIN_MS);
      const announcedAtMs = Math.min(known?.announcedAtMs ?? nowMs, shownAtMs);
      byTime.set(key, {
        names: [...new Set([...(known?.names ?? []), name])],
        fromMs,
        toMs,
        announcedAtMs,
        changedAtMs: Math.max(known?.changedAtMs ?? 0, announcedAtMs, window?.updatedAtMs ?? 0),
      });
    }
  }
  return [...byTime.values()].sort((a, b) => a.fromMs - b.fromMs).slice(0, MAINTENANCE_MAX);
}
