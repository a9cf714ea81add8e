/** What statuses say of watches: how far each has come, and which has been silent for too long. Pure. */

/** Beyond one interval. */
export const OVERDUE_AFTER_MS = 30_000;

export function watchId(monitorId: string, region: string): string {
  return `${monitorId} ${region}`;
}

/** Of a monitor's status. */
export interface StoredSlots {
  /** The last slot of the monitor; negative: none. */
  readonly lastSlotMs: number;
  /** The last slot of the grid that its workflow recorded, for all regions; absent in a status of before there was it. */
  readonly recordedSlotMs?: number;
  readonly measured?: readonly { readonly region: string; readonly slotMs?: number }[];
}

/**
 * The region's last stored slot of the grid. What the workflow recorded last covers all regions; since then each has
 * come as far as its own watch.
 */
export function lastStoredMs(
  { lastSlotMs, recordedSlotMs, measured = [] }: StoredSlots,
  region: string,
): number {
  const ownMs = measured.find((known) => known.region === region)?.slotMs;
  if (recordedSlotMs === undefined) return ownMs ?? lastSlotMs;
  return Math.max(recordedSlotMs, ownMs ?? recordedSlotMs);
}

/** The last slot of the grid that is stored or named for all of the regions, checks beside the grid left out. */
export function lastGridSlotMs(stored: StoredSlots, regions: readonly string[]): number {
  return Math.min(...regions.map((region) => lastStoredMs(stored, region)));
}

/** For how long the slot after the last stored one has been overdue; 0 or less: it is not. */
export function overdueMs(storedMs: number, intervalMs: number, nowMs: number): number {
  const nextSlotMs = storedMs + intervalMs;
  return nowMs - nextSlotMs - intervalMs - OVERDUE_AFTER_MS;
}
