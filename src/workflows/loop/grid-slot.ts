/** The last slot of a resource's grid that has been recorded; a check outside the grid states it in its record. */
import type { Gap, MonitorCheckRecord } from '../../contracts/records';
import type { TimeState } from './keep-time';

/** A slot that will be recorded later, together with the gap before it. */
export interface BegunSlot {
  readonly slotMs: number;
  readonly gap: Gap | null;
}

/**
 * The last slot of the grid that is stored or named in a gap. A slot in progress does not count, and neither do slots
 * that wait to be named: if the history is lost, the next workflow must not begin after them.
 */
export function readGridSlot(
  { lastSlotMs, skipped, config }: TimeState,
  begun: BegunSlot | null = null,
): Pick<MonitorCheckRecord, 'gridSlotMs'> {
  const nextMs = begun === null ? skipped?.fromSlotMs : (begun.gap?.fromSlotMs ?? begun.slotMs);
  const gridSlotMs = nextMs === undefined ? lastSlotMs : nextMs - config.intervalMs;
  return gridSlotMs === null ? {} : { gridSlotMs };
}
