/**
 * Counts the slots of one monitor and region: checked, late, missed with a reason, or unknown. Leaves out manual
 * checks. Pure.
 */
import type { Gap } from '../../contracts/records';
import type { Grid } from './schedule';
import { countSlotsInside, type TimeSpan } from './summary';

/** A check counts as late if it starts more than this long after its slot. */
export const LATE_AFTER_MS = 1_000;

/** The numbers of slots for which something is stored. */
export interface SlotTally {
  /** The number of checks that have observed the target, whether it was up or down. */
  readonly made: number;
  /** The number of checks in `made` that were late. */
  readonly late: number;
  /** The missed slots by reason: the reason of the gap, or why nothing could be observed. */
  readonly missed: Readonly<Record<string, number>>;
}

/** A result of a scheduled check. */
export interface TalliedSlot {
  readonly slotMs: number;
  readonly isLate: boolean;
  /** Why nothing was observed. null means that the target was observed. */
  readonly reason: string | null;
}

export const EMPTY_TALLY: SlotTally = { made: 0, late: 0, missed: {} };

/** Counts the slots. Gaps may extend beyond the span. If a slot of a gap has a result, the result counts. */
export function tallySlots(
  results: readonly TalliedSlot[],
  gaps: readonly Gap[],
  span: TimeSpan,
): SlotTally {
  const missed = new Map<string, number>();
  const miss = (reason: string, slots: number): void => {
    if (slots > 0) missed.set(reason, (missed.get(reason) ?? 0) + slots);
  };
  const seen = results.filter(({ reason }) => reason === null);
  for (const { reason } of results) if (reason !== null) miss(reason, 1);
  for (const gap of gaps) {
    const { fromSlotMs, toSlotMs } = gap;
    const named = results.filter(({ slotMs }) => slotMs >= fromSlotMs && slotMs <= toSlotMs);
    miss(gap.reason, countSlotsInside(gap, span) - named.length);
  }
  const late = seen.filter(({ isLate }) => isLate).length;
  return { made: seen.length, late, missed: Object.fromEntries(missed) };
}

export function addTallies(tallies: readonly SlotTally[]): SlotTally {
  const missed: Record<string, number> = {};
  for (const [reason, slots] of tallies.flatMap((tally) => Object.entries(tally.missed)))
    missed[reason] = (missed[reason] ?? 0) + slots;
  const sum = (field: 'made' | 'late'): number =>
    tallies.reduce((total, tally) => total + tally[field], 0);
  return { made: sum('made'), late: sum('late'), missed };
}

export function isEmptyTally(tally: SlotTally): boolean {
  return countNamed(tally) === 0;
}

/** Returns the number of slots for which something is stored: checked slots and missed ones. */
export function countNamed({ made, missed }: SlotTally): number {
  return Object.values(missed).reduce((sum, slots) => sum + slots, made);
}

export function countSlots({ anchorMs, intervalMs }: Grid, { fromMs, toMs }: TimeSpan): number {
  const before = (atMs: number): number => Math.max(0, Math.ceil((atMs - anchorMs) / intervalMs));
  return Math.max(0, before(toMs) - before(fromMs));
}

/** The counts of all due slots. `due` is the sum of the made, missed and unaccounted slots. */
export interface SlotAccount extends SlotTally {
  readonly due: number;
  /** The number of due slots that follow from the schedule and not from stored results. */
  readonly verified: number;
  /** Due slots for which nothing is stored. Their checks are running, or were lost. */
  readonly unaccounted: number;
}

/**
 * Compares the counts with the schedule. `scheduled` is the number of slots in the schedule. If it is unknown (null),
 * only stored slots count.
 */
export function compareWithSchedule(tally: SlotTally, scheduled: number | null): SlotAccount {
  const named = countNamed(tally);
  const due = Math.max(named, scheduled ?? 0);
  return { ...tally, due, verified: scheduled ?? 0, unaccounted: due - named };
}

export function addAccounts(accounts: readonly SlotAccount[]): SlotAccount {
  const sum = (field: 'due' | 'verified' | 'unaccounted'): number =>
    accounts.reduce((total, account) => total + account[field], 0);
  return {
    ...addTallies(accounts),
    due: sum('due'),
    verified: sum('verified'),
    unaccounted: sum('unaccounted'),
  };
}
