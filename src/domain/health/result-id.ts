/**
 * Builds the ids of results. The ids sort by monitor, region and slot, so that a page of results is one range of ids. A
 * slot has only one id, so its result is stored only once.
 */
import type { Gap } from '../../contracts/records';

/** The number of base-36 digits for a slot in milliseconds. It is enough for the next three thousand years. */
const SLOT_CHARACTERS = 9;
/** The suffix of a manual check's id. With it, a manual check cannot replace a scheduled one. */
const MANUAL_MARK = 'm';

export interface ResultKey {
  readonly monitorId: string;
  readonly region: string;
  readonly slotMs: number;
  readonly kind: 'scheduled' | 'manual';
}

/** Returns `<monitorId>:<region>:<slot>`, with the slot in base-36 milliseconds of fixed width. */
export function buildResultId({ monitorId, region, slotMs, kind }: ResultKey): string {
  const id = buildFirstResultId(monitorId, region, slotMs);
  return kind === 'manual' ? id + MANUAL_MARK : id;
}

/** Returns the smallest possible id for this slot or a later one. */
export function buildFirstResultId(monitorId: string, region: string, slotMs: number): string {
  const digits = Math.max(0, Math.floor(slotMs)).toString(36);
  return `${monitorId}:${region}:${digits.padStart(SLOT_CHARACTERS, '0')}`;
}

/** Reads the monitor, region, slot and kind of check from an id. */
export function parseResultId(id: string): ResultKey {
  const regionAt = id.indexOf(':') + 1;
  const slotAt = id.lastIndexOf(':') + 1;
  const slot = id.slice(slotAt);
  return {
    monitorId: id.slice(0, regionAt - 1),
    region: id.slice(regionAt, slotAt - 1),
    slotMs: Number.parseInt(slot.slice(0, SLOT_CHARACTERS), 36),
    kind: slot.length > SLOT_CHARACTERS ? 'manual' : 'scheduled',
  };
}

/** Returns the result with another gap. Its id and slot become those of the gap's first slot. */
export function withGap<Stored extends ResultKey>(result: Stored, gap: Gap): Stored {
  const { fromSlotMs: slotMs } = gap;
  return { ...result, id: buildResultId({ ...result, slotMs }), slotMs, gap };
}
