/**
 * Validates the results of watches that a probe delivers. The probe may be compromised, or another probe may have the
 * watch by now. A result is accepted only from the probe that has the watch, for a due slot, and for the current
 * definition of an active monitor.
 */
import type { ResultDelivery } from '../../contracts/probe-protocol';
import type { Gap } from '../../contracts/records';
import type { WatchedResult, WatchReceipt } from '../../contracts/watches';
import { type Grid, isOnGrid } from '../../domain/health/schedule';
import { watchId } from '../../domain/health/watches';
import type { MonitorGrid } from '../../models/results/watched-writes';
import type { WatchHolder } from '../../models/watches/watches';
import { INTERVAL_SECONDS_MIN, intervalSecondsField } from '../../schemas/fields';
import type { Dependencies } from '../ports/dependencies';
import { isPausedAt } from '../resources/pause';
import { recordWatchedResults } from './record-watched-results';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Returns one receipt per result, in the same order, once all accepted results are stored. Idempotent. */
export async function recordDelivery(
  needs: Needs,
  { region, instance, results }: ResultDelivery,
): Promise<readonly WatchReceipt[]> {
  if (results.length === 0) return [];
  const { watchedResults, watches } = needs.stores;
  const ids = [...new Set(results.map(({ monitorId }) => monitorId))];
  const [grids, statuses, holders] = await Promise.all([
    watchedResults.readGrids(ids),
    watchedResults.readStatuses(ids),
    watches.findHolders(ids.map((monitorId) => ({ monitorId, region }))),
  ]);
  const found = await Promise.all(
    results.map(async (result) => {
      const grid = grids.get(result.monitorId);
      const holder = holders.get(watchId(result.monitorId, region));
      return findRefusal(needs, { result, region, instance, grid, holder });
    }),
  );
  const refusals = withFollowing(results, found);
  const fit = results.filter((_, index) => refusals[index] === null);
  const receipts = [...(await recordWatchedResults(needs, { region, results: fit, statuses }))];
  return refusals.map((refusal) => refusal ?? receipts.shift() ?? 'outdated');
}

/**
 * If a result is refused, also refuses all later results of the same monitor, because their gap starts at the refused
 * slot.
 */
function withFollowing(
  results: readonly Pick<WatchedResult, 'accountId' | 'monitorId'>[],
  refusals: readonly (WatchReceipt | null)[],
): readonly (WatchReceipt | null)[] {
  const refused = new Set<string>();
  return results.map(({ accountId, monitorId }, index) => {
    // The key includes the account, because the same monitor id under another account is another
    // monitor.
    const owner = `${accountId} ${monitorId}`;
    const refusal = refusals[index] ?? (refused.has(owner) ? 'outdated' : null);
    if (refusal !== null) refused.add(owner);
    return refusal;
  });
}

interface Judged {
  readonly result: WatchedResult;
  readonly region: string;
  readonly instance: string;
  /** The monitor's current grid of slots. undefined if the monitor no longer exists. */
  readonly grid: MonitorGrid | undefined;
  /** The probe that has the watch. undefined if the database contains no probe that has opened the watch. */
  readonly holder: WatchHolder | undefined;
}

/** Returns the reason for refusing the result. null if these rules do not refuse it. */
async function findRefusal(
  { stores, clock }: Needs,
  { result, region, instance, grid, holder }: Judged,
): Promise<WatchReceipt | null> {
  if (grid === undefined || grid.accountId !== result.accountId) return 'gone';
  if (holder?.instance !== instance) return 'moved';
  const nowMs = clock.now();
  const isInForce = result.revision === grid.revision && grid.regions.includes(region);
  const isOnTime = isDue(findGrid(grid, result), result, nowMs);
  if (!isInForce || isPausedAt(grid, nowMs) || !isOnTime) return 'outdated';
  const { gap, monitorId } = result;
  if (gap === null) return null;
  const isForged =
    !isGapBefore(grid, gap, result) ||
    (await stores.watchedResults.isMeasured(monitorId, region, gap));
  return isForged ? 'outdated' : null;
}

/** How far the clock of a probe may be behind. */
const FINISHED_BEFORE_MAX_MS = 25 * 3_600_000;

/**
 * Returns the grid that contains the slot. If the interval was changed, the earlier grid is not stored. A slot before
 * the current grid is therefore accepted if its distance to the next slot is a valid interval.
 */
function findGrid(grid: MonitorGrid, { slotMs, nextSlotMs }: WatchedResult): Grid {
  const intervalMs = nextSlotMs - slotMs;
  const isInterval = intervalSecondsField.safeParse(intervalMs / 1_000).success;
  return slotMs < grid.anchorMs && isInterval
    ? { anchorMs: slotMs % intervalMs, intervalMs }
    : grid;
}

function isDue(grid: Grid, { slotMs, nextSlotMs, outcome }: WatchedResult, nowMs: number): boolean {
  const { intervalMs } = grid;
  const isNear = Date.parse(outcome.finishedAt) >= slotMs - FINISHED_BEFORE_MAX_MS;
  const isNext = nextSlotMs === slotMs + intervalMs;
  return isOnGrid(grid, slotMs) && slotMs <= nowMs + intervalMs && isNear && isNext;
}

/**
 * Returns true if the gap before a result is plausible. If the gap begins before the current grid, it may contain slots
 * of several grids. In that case, only the number of slots is checked.
 */
function isGapBefore(
  grid: MonitorGrid,
  { fromSlotMs, toSlotMs, slots }: Gap,
  { slotMs }: WatchedResult,
): boolean {
  if (toSlotMs < fromSlotMs || toSlotMs >= slotMs) return false;
  if (fromSlotMs < grid.anchorMs)
    return slots <= (toSlotMs - fromSlotMs) / (INTERVAL_SECONDS_MIN * 1_000) + 1;
  const areOnGrid = isOnGrid(grid, fromSlotMs) && isOnGrid(grid, toSlotMs);
  return areOnGrid && slots === (toSlotMs - fromSlotMs) / grid.intervalMs + 1;
}
