/**
 * What a probe delivers of quiet checks, held against the monitors as they are: a probe may be in other hands,
 * so that a result counts only for a slot that is due, under the definition in force, from a region of the
 * monitor. What does not hold is answered as outdated and goes the way of every other check.
 */
import type { ResultDelivery } from '../../contracts/probe-protocol';
import type { WatchedResult, WatchReceipt } from '../../contracts/watches';
import type { MonitorGrid } from '../../models/results/watched-writes';
import type { Dependencies } from '../ports/dependencies';
import { recordWatchedResults } from './record-watched-results';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** One receipt for each result, in their order, as recordWatchedResults. */
export async function recordDelivery(
  needs: Needs,
  { region, results }: ResultDelivery,
): Promise<readonly WatchReceipt[]> {
  const ids = [...new Set(results.map(({ monitorId }) => monitorId))];
  const grids = ids.length === 0 ? new Map() : await needs.stores.watchedResults.readGrids(ids);
  const areFit = await Promise.all(
    results.map((result) => isFit(needs, { result, region, grid: grids.get(result.monitorId) })),
  );
  const fit = results.filter((_, index) => areFit[index]);
  const receipts = [...(await recordWatchedResults(needs, { region, results: fit }))];
  return areFit.map((isOne) => (isOne ? (receipts.shift() ?? 'outdated') : 'outdated'));
}

interface Judged {
  readonly result: WatchedResult;
  readonly region: string;
  /** Absent: the monitor is gone, which is found out where its status is looked for. */
  readonly grid: MonitorGrid | undefined;
}

async function isFit({ stores, clock }: Needs, { result, region, grid }: Judged): Promise<boolean> {
  if (grid === undefined || grid.accountId !== result.accountId) return true;
  const { slotMs, nextSlotMs, gap, revision, monitorId, outcome } = result;
  const { intervalMs } = grid;
  const isDue = isOnGrid(grid, slotMs) && slotMs <= clock.now() + intervalMs;
  const isInForce = revision === grid.revision && grid.regions.includes(region);
  const isNear = Date.parse(outcome.finishedAt) >= slotMs - FINISHED_BEFORE_MAX_MS;
  if (!isDue || !isInForce || !isNear || nextSlotMs !== slotMs + intervalMs) return false;
  if (gap === null) return true;
  const isGapOnGrid = [gap.fromSlotMs, gap.toSlotMs].every((ms) => isOnGrid(grid, ms));
  const slots = (gap.toSlotMs - gap.fromSlotMs) / intervalMs + 1;
  if (!isGapOnGrid || gap.slots !== slots) return false;
  return !(await stores.watchedResults.isMeasured(monitorId, region, gap));
}

/** So far the clock of a probe may be behind. */
const FINISHED_BEFORE_MAX_MS = 25 * 3_600_000;

function isOnGrid({ anchorMs, intervalMs }: MonitorGrid, slotMs: number): boolean {
  return slotMs >= anchorMs && (slotMs - anchorMs) % intervalMs === 0;
}
