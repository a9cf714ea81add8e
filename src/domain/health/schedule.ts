/** The grid of slots: anchor + k × interval, k ≥ 0. Finds the due slot and the slots that were missed. Pure. */
import type { Gap } from '../../contracts/records';

export interface Grid {
  readonly anchorMs: number;
  readonly intervalMs: number;
}

export interface SlotQuestion extends Grid {
  /** The last slot that was run or is part of a gap. null before the first slot. */
  readonly lastSlotMs: number | null;
  readonly nowMs: number;
}

export interface SlotPlan {
  /** The slot to check. If the check must run at once, the slot is not in the future. */
  readonly dueAtMs: number;
  /** Earlier slots that were not checked. null if there is none. */
  readonly gap: Gap | null;
}

/** True for a slot of the grid. Before the anchor, there are no slots. */
export function isOnGrid({ anchorMs, intervalMs }: Grid, slotMs: number): boolean {
  return slotMs >= anchorMs && (slotMs - anchorMs) % intervalMs === 0;
}

/** Returns the newest slot that is not after `atMs`. The grid continues before the anchor. */
export function findSlotAtOrBefore({ anchorMs, intervalMs }: Grid, atMs: number): number {
  return anchorMs + Math.floor((atMs - anchorMs) / intervalMs) * intervalMs;
}

/** Returns the first slot after `atMs`, but never a slot before the anchor. */
export function findSlotAfter(grid: Grid, atMs: number): number {
  return Math.max(grid.anchorMs, findSlotAtOrBefore(grid, atMs) + grid.intervalMs);
}

/**
 * Returns the next slot to check. After a period without checks, only the newest due slot is checked, and the earlier
 * slots become the gap. Without a last slot, no slot counts as missed.
 */
export function planSlot(question: SlotQuestion): SlotPlan {
  const { lastSlotMs, nowMs } = question;
  const newest = Math.max(question.anchorMs, findSlotAtOrBefore(question, nowMs));
  if (lastSlotMs === null) return { dueAtMs: newest, gap: null };
  const next = findSlotAfter(question, lastSlotMs);
  if (next >= newest) return { dueAtMs: next, gap: null };
  return { dueAtMs: newest, gap: buildGap(question, next, newest - question.intervalMs, 'missed') };
}

export function findPassedGap(question: SlotQuestion, reason: Gap['reason']): Gap | null {
  if (question.lastSlotMs === null) return null;
  const from = findSlotAfter(question, question.lastSlotMs);
  const to = findSlotAtOrBefore(question, question.nowMs);
  return to < from ? null : buildGap(question, from, to, reason);
}

/**
 * Returns the slots between the two instants as one gap, over several grids. Each grid ends where the next one begins,
 * and the last grid is the current grid. null if there are no slots in between.
 */
export function findMissedGap(
  grids: readonly Grid[],
  { lastSlotMs, beforeMs }: { readonly lastSlotMs: number | null; readonly beforeMs: number },
): Gap | null {
  return grids.reduce<Gap | null>((gap, grid, index) => {
    const endMs = Math.min(beforeMs, grids[index + 1]?.anchorMs ?? beforeMs);
    return joinGaps(gap, findPassedGap({ ...grid, lastSlotMs, nowMs: endMs - 1 }, 'missed'));
  }, null);
}

/** How many former grids are kept. The interval does not change so often before a slot is stored. */
const FORMER_GRIDS_MAX = 10;

/**
 * Returns the former grids that have slots after `lastSlotMs`, oldest first. Each grid ends where the next grid begins.
 * The last former grid ends where the current grid begins.
 */
export function listOpenGrids(
  former: readonly Grid[],
  current: Grid,
  lastSlotMs: number,
): readonly Grid[] {
  const open = former.filter((_, index) => (former[index + 1] ?? current).anchorMs > lastSlotMs);
  return open.slice(-FORMER_GRIDS_MAX);
}

/** Joins two gaps into one gap, even if a pause or another grid lies between them. */
export function joinGaps(one: Gap | null, other: Gap | null): Gap | null {
  if (one === null || other === null) return one ?? other;
  return {
    reason: one.reason === other.reason ? one.reason : 'missed',
    fromSlotMs: Math.min(one.fromSlotMs, other.fromSlotMs),
    toSlotMs: Math.max(one.toSlotMs, other.toSlotMs),
    slots: one.slots + other.slots,
  };
}

/**
 * Returns the slots of a gap that are after an instant. null means that no slot is left, or that a pause inside the gap
 * makes the remaining slots unknown.
 */
export function cutGap(gap: Gap, untilMs: number): Gap | null {
  const { fromSlotMs, toSlotMs, slots } = gap;
  const stepMs = slots > 1 ? (toSlotMs - fromSlotMs) / (slots - 1) : 0;
  if (stepMs === 0 || !Number.isInteger(stepMs)) return null;
  const nextMs = findSlotAfter({ anchorMs: fromSlotMs, intervalMs: stepMs }, untilMs);
  if (nextMs > toSlotMs) return null;
  return { ...gap, fromSlotMs: nextMs, slots: (toSlotMs - nextMs) / stepMs + 1 };
}

function buildGap(grid: Grid, fromSlotMs: number, toSlotMs: number, reason: Gap['reason']): Gap {
  const slots = Math.round((toSlotMs - fromSlotMs) / grid.intervalMs) + 1;
  return { reason, fromSlotMs, toSlotMs, slots };
}
