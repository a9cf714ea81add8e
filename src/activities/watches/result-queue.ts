/**
 * The queue of results for the API, in the order of their slots. While the API is down, the queue keeps results for up
 * to ten minutes, and drops older results. The next result reports the dropped slots as a gap.
 */

import type { StepOutcome } from '../../contracts/outcome';
import { DELIVERY_BYTES_MAX, DELIVERY_RESULTS_MAX } from '../../contracts/probe-protocol';
import type { WatchedResult, WatchReceipt } from '../../contracts/watches';
import { findMissedGap, type Grid, isOnGrid } from '../../domain/health/schedule';
import type { InternalApiClient } from '../internal-api-client';
import { pause } from './pause';

/** How long to collect results for one delivery. A delivery costs about the same for one result as for many. */
const GATHER_MS = 1_000;
const RETRY_MS = 1_000;
const KEPT_MAX = 20_000;
const KEPT_MS = 10 * 60_000;
/**
 * Limit of the memory for waiting results. Most results are about a hundred times smaller than the largest possible
 * result.
 */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes reserved in each delivery for the envelope and the encryption. Their real overhead is smaller. */
const ENVELOPE_BYTES = 1_024;

/** The facts about a watch that the queue needs for its results. */
export interface ResultOwner {
  readonly accountId: string;
  readonly monitorId: string;
  readonly revision: number;
  grid: Grid;
  /** Earlier slot grids of the monitor, oldest first. Each grid ends where the next grid begins. */
  formerGrids: readonly Grid[];
  /** The region's last stored slot, or the slot before the watch started. Receipts advance it. */
  lastStoredMs: number;
  /** False until the API has confirmed that this probe runs the watch, and has returned the last stored slot. */
  isOpen: boolean;
  readonly onReceipt: (receipt: WatchReceipt, result: QueuedResult) => void;
}

export interface QueuedResult {
  readonly owner: ResultOwner;
  /** The grid that the slot belongs to. */
  readonly grid: Grid;
  readonly slotMs: number;
  readonly outcome: StepOutcome;
}

export interface ResultQueue {
  /** Adds the result to the queue. Returns false if it is too large for a delivery. */
  readonly add: (result: QueuedResult) => boolean;
  /**
   * Delivers at once. Returns true as soon as no result of the owner is waiting. Returns false if that takes longer
   * than `withinMs`.
   */
  readonly flush: (owner: ResultOwner, withinMs: number) => Promise<boolean>;
  /**
   * Drops results for slots of a former grid that come after the start of the current grid. If a delivery contained one
   * of them, the API would refuse the whole delivery.
   */
  readonly dropFormer: (owner: ResultOwner) => void;
}

interface Kept extends QueuedResult {
  readonly sinceMs: number;
  readonly bytes: number;
}

export function createResultQueue({
  deliverResults,
}: Pick<InternalApiClient, 'deliverResults'>): ResultQueue {
  let kept: Kept[] = [];
  let isRunning = false;
  let hurry = new AbortController();
  const flushing = new Set<() => void>();

  async function deliverAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (kept.length > 0) {
      if (!isFull(keepReady(kept))) await pause(GATHER_MS, hurry.signal);
      hurry = new AbortController();
      kept = withoutOld(kept, performance.now());
      const batch = firstThatFit(keepReady(kept));
      if (batch.length === 0) continue;
      try {
        const receipts = await deliverResults(asResults(batch));
        const sent = new Set(batch);
        kept = kept.filter((one) => !sent.has(one));
        for (const [index, receipt] of receipts.entries()) noteReceipt(batch[index], receipt);
        for (const look of flushing) look();
      } catch {
        // The delivery failed, so the loop tries again.
        await pause(RETRY_MS);
      }
    }
    isRunning = false;
  }

  async function flush(owner: ResultOwner, withinMs: number): Promise<boolean> {
    const isDone = (): boolean => !kept.some((one) => one.owner === owner);
    if (isDone()) return true;
    hurry.abort();
    await pauseUntil(flushing, isDone, withinMs);
    return isDone();
  }

  return {
    add: (result) => {
      const bytes = Buffer.byteLength(JSON.stringify(result.outcome));
      if (bytes > DELIVERY_BYTES_MAX - 2 * ENVELOPE_BYTES) return false;
      kept.push({ ...result, bytes, sinceMs: performance.now() });
      if (kept.length >= DELIVERY_RESULTS_MAX) hurry.abort();
      void deliverAll();
      return true;
    },
    flush,
    dropFormer: (owner) => {
      kept = kept.filter((one) => one.owner !== owner || isOnGridOrBefore(owner, one.slotMs));
      for (const look of flushing) look();
    },
  };
}

/**
 * Waits until `isDone` returns true, at most `withinMs`. The condition is checked again whenever someone calls the
 * functions in `looks`.
 */
async function pauseUntil(
  looks: Set<() => void>,
  isDone: () => boolean,
  withinMs: number,
): Promise<void> {
  const over = new AbortController();
  const look = (): void => {
    if (isDone()) over.abort();
  };
  looks.add(look);
  await pause(withinMs, over.signal);
  looks.delete(look);
}

/** True for a slot of the current grid, and for every slot before this grid begins. */
export function isOnGridOrBefore({ grid }: ResultOwner, slotMs: number): boolean {
  return slotMs < grid.anchorMs || isOnGrid(grid, slotMs);
}

function keepReady(kept: readonly Kept[]): readonly Kept[] {
  return kept.filter(({ owner }) => owner.isOpen);
}

function isFull(ready: readonly Kept[]): boolean {
  return ready.length >= DELIVERY_RESULTS_MAX || firstThatFit(ready).length < ready.length;
}

function noteReceipt(result: Kept | undefined, receipt: WatchReceipt): void {
  if (result === undefined) return;
  const { owner, slotMs } = result;
  if (receipt === 'stored') owner.lastStoredMs = Math.max(owner.lastStoredMs, slotMs);
  owner.onReceipt(receipt, result);
}

function withoutOld(kept: readonly Kept[], nowMs: number): Kept[] {
  let bytes = 0;
  const tooOld = kept.findLastIndex((one, index) => {
    bytes += one.bytes;
    const isTooMuch = bytes > KEPT_BYTES_MAX || kept.length - index > KEPT_MAX;
    return isTooMuch || nowMs - one.sinceMs > KEPT_MS;
  });
  return kept.slice(tooOld + 1);
}

/** Returns as many of the first results as fit into one delivery, and at least one. */
function firstThatFit(kept: readonly Kept[]): readonly Kept[] {
  let bytes = ENVELOPE_BYTES;
  const first = kept.slice(0, DELIVERY_RESULTS_MAX);
  const tooMany = first.findIndex((one, index) => {
    bytes += one.bytes + ENVELOPE_BYTES / 4;
    return index > 0 && bytes > DELIVERY_BYTES_MAX;
  });
  return tooMany === -1 ? first : first.slice(0, tooMany);
}

/**
 * Builds the results to deliver, each with the gap before it. The gap starts after the previous result of the same
 * watch, or else after the last stored slot.
 */
function asResults(batch: readonly Kept[]): readonly WatchedResult[] {
  const lastMs = new Map<ResultOwner, number>();
  return batch.map(({ owner, grid, slotMs, outcome }) => {
    const { accountId, monitorId, revision } = owner;
    const lastSlotMs = lastMs.get(owner) ?? owner.lastStoredMs;
    const grids = [...owner.formerGrids, owner.grid];
    const gap = findMissedGap(grids, { lastSlotMs, beforeMs: slotMs });
    lastMs.set(owner, slotMs);
    const nextSlotMs = slotMs + grid.intervalMs;
    return { accountId, monitorId, revision, slotMs, nextSlotMs, outcome, gap };
  });
}
