/** Reads from statuses how far each watch has come, and which one has been silent for too long. Pure. */

/** Beyond one interval. */
export const OVERDUE_AFTER_MS = 30_000;

export function watchId(monitorId: string, region: string): string {
  return `${monitorId} ${region}`;
}

/** Part of a monitor's status. */
export interface StoredSlots {
  /** The last slot of the monitor; negative: none. */
  readonly lastSlotMs: number;
  /** The last slot of the grid that its workflow recorded, for all regions; absent in statuses that predate it. */
  readonly recordedSlotMs?: number;
  readonly measured?: readonly { readonly region: string; readonly slotMs?: number }[];
}

/**
 * The region's last stored slot of the grid. The workflow's last record covers all regions; since then each region
 * has come as far as its own watch.
 */
export function lastStoredMs(
  { lastSlotMs, recordedSlotMs, measured = [] }: StoredSlots,
  region: string,
): number {
  const ownMs = measured.find((known) => known.region === region)?.slotMs;
  if (recordedSlotMs === undefined) return ownMs ?? lastSlotMs;
  return Math.max(recordedSlotMs, ownMs ?? recordedSlotMs);
}

/** The last slot of the grid that is stored or named for all regions, without checks outside the grid. */
export function lastGridSlotMs(stored: StoredSlots, regions: readonly string[]): number {
  return Math.min(...regions.map((region) => lastStoredMs(stored, region)));
}

/** The time for which the slot after the last stored one has been overdue; 0 or less: not overdue. */
export function overdueMs(storedMs: number, intervalMs: number, nowMs: number): number {
  const nextSlotMs = storedMs + intervalMs;
  return nowMs - nextSlotMs - intervalMs - OVERDUE_AFTER_MS;
}
