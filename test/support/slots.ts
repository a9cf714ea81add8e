/** Reads the slots of a monitor from its results: which slots were run, and which are named in gaps. */
import type { Result } from './api-client';

export interface SlotLedger {
  /** Every scheduled slot that was run or is named in a gap, oldest first. */
  readonly slotsMs: readonly number[];
  /** Slots that appear more than once. */
  readonly doubled: readonly number[];
  /** Slots between the first and the last that were neither run nor named in a gap. */
  readonly unnamed: readonly number[];
}

/** Reads the scheduled slots of one region. */
export function readSlots(
  results: readonly Result[],
  { region, intervalMs }: { readonly region: string; readonly intervalMs: number },
): SlotLedger {
  const slotsMs = results
    .filter((result) => result.region === region && result.kind === 'scheduled')
    .flatMap((result) => slotsOf(result, intervalMs))
    .sort((a, b) => a - b);
  const doubled = slotsMs.filter((slot, index) => slotsMs[index - 1] === slot);
  const present = new Set(slotsMs);
  const first = slotsMs[0] ?? 0;
  const last = slotsMs.at(-1) ?? first - intervalMs;
  const expected = Array.from(
    { length: Math.round((last - first) / intervalMs) + 1 },
    (_, index) => first + index * intervalMs,
  );
  return { slotsMs, doubled, unnamed: expected.filter((slot) => !present.has(slot)) };
}

function slotsOf({ slot, gap }: Result, intervalMs: number): readonly number[] {
  if (gap === null) return [Date.parse(slot)];
  const from = Date.parse(gap.from);
  return Array.from({ length: gap.slots }, (_, index) => from + index * intervalMs);
}
