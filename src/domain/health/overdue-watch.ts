/** When a watch has been silent for too long. Pure. */

/** Beyond one interval. */
export const OVERDUE_AFTER_MS = 30_000;

/** For how long the slot after the last stored one has been overdue; 0 or less: it is not. */
export function overdueMs(lastStoredMs: number, intervalMs: number, nowMs: number): number {
  const nextSlotMs = lastStoredMs + intervalMs;
  return nowMs - nextSlotMs - intervalMs - OVERDUE_AFTER_MS;
}
