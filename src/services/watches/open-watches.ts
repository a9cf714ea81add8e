/**
 * Opens watches for a probe. Records which process has each watch, and the token that can take the watch away from a
 * lost process. Safe to repeat.
 */
import type { WatchOpenings } from '../../contracts/probe-protocol';
import type { OpenedWatch, WatchOpening } from '../../contracts/watches';
import { findLastStoredMs } from '../../domain/health/watches';
import type { MonitorGrid, WatchedStatus } from '../../models/results/watched-writes';
import type { Dependencies } from '../ports/dependencies';
import { isPausedAt } from '../resources/pause';
import { noteAlive } from './note-alive';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

const CLOSED: OpenedWatch = { isOpen: false, lastStoredMs: null };

/**
 * Opens the watches that the probe may have. Returns one entry per watch, in the same order, that shows whether the
 * watch is open.
 */
export async function openWatches(
  needs: Needs,
  { region, instance, watches }: WatchOpenings,
): Promise<readonly OpenedWatch[]> {
  if (watches.length === 0) return [];
  const { watchedResults, watches: holders } = needs.stores;
  // The process is recorded first, so that its loss is noticed from its first watch on.
  await noteAlive(needs, { region, instance });
  const ids = [...new Set(watches.map(({ monitorId }) => monitorId))];
  const [grids, statuses] = await Promise.all([
    watchedResults.readGrids(ids),
    watchedResults.readStatuses(ids),
  ]);
  const openedAtMs = needs.clock.now();
  const isOpen = ({ monitorId, ...opening }: WatchOpening): boolean => {
    const known = { grid: grids.get(monitorId), status: statuses.get(monitorId) };
    return mayBeOpened({ monitorId, ...opening }, region, { ...known, nowMs: openedAtMs });
  };
  const taken = watches.filter(isOpen);
  await holders.open(
    taken.map(({ accountId, monitorId, taskToken }) => ({
      accountId,
      monitorId,
      region,
      instance,
      taskToken,
      openedAtMs,
    })),
  );
  return watches.map((opening) => {
    const status = statuses.get(opening.monitorId);
    if (status === undefined || !isOpen(opening)) return CLOSED;
    const storedMs = findLastStoredMs(status, region);
    const grid = readGrid(grids.get(opening.monitorId));
    return { isOpen: true, lastStoredMs: storedMs < 0 ? null : storedMs, ...grid };
  });
}

/**
 * Returns the grid that a watch gets when it is opened. A monitor with several regions gets no grid here. All of its
 * regions must change their grid at the same time, and only the workflow can ensure that.
 */
function readGrid(grid: MonitorGrid | undefined): Pick<OpenedWatch, 'grid'> {
  if (grid === undefined || grid.regions.length !== 1) return {};
  const { version, anchorMs, intervalMs } = grid;
  return { grid: { version, anchorMs, intervalMs } };
}

interface Known {
  /** The grid of the monitor. undefined if the monitor no longer exists. */
  readonly grid: MonitorGrid | undefined;
  readonly status: WatchedStatus | undefined;
  readonly nowMs: number;
}

/** Returns true if the monitor of the account is active, and has this revision and region. */
function mayBeOpened(
  { accountId, revision }: WatchOpening,
  region: string,
  { grid, status, nowMs }: Known,
): boolean {
  if (grid === undefined || status?.accountId !== accountId) return false;
  const isOwn = grid.accountId === accountId && grid.regions.includes(region);
  return isOwn && grid.revision === revision && !isPausedAt(grid, nowMs);
}
