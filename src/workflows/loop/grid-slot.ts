/** Reads the last recorded slot of a resource. A slot is an instant of its schedule. */
import type { Gap, MonitorCheckRecord } from '../../contracts/records';
import type { TimeState } from './keep-time';

/** A slot that will be recorded later, together with the gap before it. */
export interface BegunSlot {
  readonly slotMs: number;
  readonly gap: Gap | null;
}

/**
 * Returns the last slot that is stored, or that is part of a stored gap. Leaves out slots that are in progress or wait
 * to be recorded. If the history is lost, a new workflow continues after the returned slot.
 */
export function readGridSlot(
  { lastSlotMs, skipped, config }: TimeState,
  begun: BegunSlot | null = null,
): Pick<MonitorCheckRecord, 'gridSlotMs'> {
  const nextMs = begun === null ? skipped?.fromSlotMs : (begun.gap?.fromSlotMs ?? begun.slotMs);
  const gridSlotMs = nextMs === undefined ? lastSlotMs : nextMs - config.intervalMs;
  return gridSlotMs === null ? {} : { gridSlotMs };
}
