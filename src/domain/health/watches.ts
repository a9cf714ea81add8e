/**
 * Finds out from statuses which slots of each watch are stored, and which watch has reported nothing for too long. A
 * watch is an activity that repeats steady checks. Pure.
 */

/** A slot is overdue if it is not stored within one interval plus this time after it was due. */
export const OVERDUE_AFTER_MS = 30_000;

export function watchId(monitorId: string, region: string): string {
  return `${monitorId} ${region}`;
}

/** The part of a monitor's status that contains its stored slots. */
export interface StoredSlots {
  /** The last slot of the monitor. Negative if there is no slot yet. */
  readonly lastSlotMs: number;
  /** The last slot that the workflow recorded for all regions. Absent in older statuses. */
  readonly recordedSlotMs?: number;
  readonly measured?: readonly { readonly region: string; readonly slotMs?: number }[];
}

/**
 * Returns the region's last stored slot. The last record of the workflow covers all regions. Later slots come from the
 * region's own watch.
 */
export function findLastStoredMs(
  { lastSlotMs, recordedSlotMs, measured = [] }: StoredSlots,
  region: string,
): number {
  const ownMs = measured.find((known) => known.region === region)?.slotMs;
  if (recordedSlotMs === undefined) return ownMs ?? lastSlotMs;
  return Math.max(recordedSlotMs, ownMs ?? recordedSlotMs);
}

/** Returns the last slot that is stored or missed in all regions. Manual checks do not count. */
export function findLastGridSlotMs(stored: StoredSlots, regions: readonly string[]): number {
  return Math.min(...regions.map((region) => findLastStoredMs(stored, region)));
}

/** Returns for how long the next slot has been overdue, in milliseconds. 0 or negative if it is not overdue. */
export function computeOverdueMs(storedMs: number, intervalMs: number, nowMs: number): number {
  const nextSlotMs = storedMs + intervalMs;
  return nowMs - nextSlotMs - intervalMs - OVERDUE_AFTER_MS;
}
