/**
 * Returns a watch to its workflow if its next check is overdue for any reason. Fails the attempt of the watch, and the
 * workflow then makes the next check itself. Does nothing while this service cannot receive reports of probes.
 */
import { PROBE_LOST_AFTER_MS } from '../../contracts/probe-protocol';
import {
  computeOverdueMs,
  findLastStoredMs,
  OVERDUE_AFTER_MS,
  watchId,
} from '../../domain/health/watches';
import type { MonitorGrid, SlotStatus } from '../../models/results/watched-writes';
import type { ProbeInstance, WatchHolder } from '../../models/watches/watches';
import { interleave } from '../../platform/paced';
import type { Dependencies } from '../ports/dependencies';
import type { WorkflowGateway } from '../ports/gateway';
import { isPausedAt } from '../resources/pause';
import { failAll } from './hand-over';

/** A probe delivers its results within this time after an outage of the API. */
const SEEN_FOR_MS = 60_000;
/**
 * If no probe has the watch, the workflow gets signals for this long. After that, a workflow that ignored them gets no
 * more signals.
 */
const SIGNALLED_FOR_MS = 10 * 60_000;
const STATUSES_PER_PAGE = 500;
/**
 * Maximum number of watches per pass. The limit is shared between accounts, and each account's longest overdue watches
 * come first. The next pass continues.
 */
const RETURNED_MAX = 200;
const AT_ONCE_MAX = 24;
const IDS_LOGGED_MAX = 5;
const OVERDUE = 'Its next slot is overdue.';

export interface OverdueNeeds extends Pick<Dependencies, 'clock' | 'notifyOperator'> {
  readonly stores: Pick<Dependencies['stores'], 'watches' | 'watchedResults'>;
  readonly gateway: Pick<WorkflowGateway, 'failWatch' | 'failUnopenedWatch' | 'endWatch'>;
}

interface Overdue {
  readonly accountId: string;
  readonly monitorId: string;
  readonly region: string;
  /** How long the check has been overdue. */
  readonly lateMs: number;
  readonly isWatched: boolean;
}

/** An overdue watch and the probe that has it. `holder` is null if the probe is unknown. */
interface Returned extends Overdue {
  readonly holder: WatchHolder | null;
}

/** Makes one pass. Returns the number of watches that were returned to their workflows. */
export async function returnOverdueWatches(
  needs: OverdueNeeds,
  signal: AbortSignal,
): Promise<number> {
  const instances = await needs.stores.watches.listInstances();
  const nowMs = needs.clock.now();
  if (!instances.some((one) => isSeen(one, nowMs) && one.heardSinceMs <= nowMs - SEEN_FOR_MS))
    return 0;
  const overdue = await findOverdue(needs, nowMs, signal);
  const holders = await readHolders(needs, overdue);
  const late = overdue
    .map((one) => ({ ...one, holder: holders.get(watchId(one.monitorId, one.region)) ?? null }))
    .sort((one, other) => other.lateMs - one.lateMs);
  const known = chooseFirst(late.filter((one) => mayBeReturned(one, instances, nowMs)));
  for (const batch of splitBatches(known, signal)) await returnAll(needs, batch);
  // A hanging probe may have received the watches of these monitors without opening them.
  const unknown = chooseFirst(
    late.filter(({ isWatched, holder }) => holder === null && !isWatched),
  );
  const taken: Returned[] = [];
  for (const batch of splitBatches(unknown, signal)) taken.push(...(await failTaken(needs, batch)));
  const returned = [...known, ...taken];
  await report(needs, returned);
  return returned.length;
}

/** Takes the first watches of each account, so that one account cannot use up the limit of a pass. */
function chooseFirst(late: readonly Returned[]): readonly Returned[] {
  return interleave(late, ({ accountId }) => accountId).slice(0, RETURNED_MAX);
}

function* splitBatches(all: readonly Returned[], signal: AbortSignal) {
  for (let start = 0; start < all.length; start += AT_ONCE_MAX) {
    signal.throwIfAborted();
    yield all.slice(start, start + AT_ONCE_MAX);
  }
}

function isSeen({ lastSeenAtMs }: ProbeInstance, nowMs: number): boolean {
  return lastSeenAtMs >= nowMs - PROBE_LOST_AFTER_MS;
}

async function findOverdue(
  { stores: { watchedResults } }: OverdueNeeds,
  nowMs: number,
  signal: AbortSignal,
): Promise<readonly Overdue[]> {
  const overdue: Overdue[] = [];
  let afterId = '';
  for (;;) {
    signal.throwIfAborted();
    const page = { storedBeforeMs: nowMs - OVERDUE_AFTER_MS, afterId, limit: STATUSES_PER_PAGE };
    const statuses = await watchedResults.listStoredBefore(page);
    const grids = await watchedResults.readGrids(statuses.map(({ _id }) => _id));
    for (const status of statuses)
      overdue.push(...listOverdue(status, grids.get(status._id), nowMs));
    const last = statuses.at(-1);
    if (last === undefined || statuses.length < STATUSES_PER_PAGE) return overdue;
    afterId = last._id;
  }
}

function listOverdue(
  status: SlotStatus,
  grid: MonitorGrid | undefined,
  nowMs: number,
): readonly Overdue[] {
  if (grid === undefined || isPausedAt(grid, nowMs)) return [];
  const { _id: monitorId, isWatched = false } = status;
  const { accountId } = grid;
  return grid.regions.flatMap((region) => {
    const lateMs = computeOverdueMs(findLastStoredMs(status, region), grid.intervalMs, nowMs);
    return lateMs > 0 ? [{ accountId, monitorId, region, lateMs, isWatched }] : [];
  });
}

async function readHolders(
  { stores: { watches } }: OverdueNeeds,
  overdue: readonly Overdue[],
): Promise<ReadonlyMap<string, WatchHolder>> {
  const holders = new Map<string, WatchHolder>();
  for (let start = 0; start < overdue.length; start += STATUSES_PER_PAGE) {
    const found = await watches.findHolders(overdue.slice(start, start + STATUSES_PER_PAGE));
    for (const [id, holder] of found) holders.set(id, holder);
  }
  return holders;
}

/**
 * Returns false if the monitor has no watch, or if its workflow was signalled for long enough. Also returns false while
 * its probe may still deliver results after an outage.
 */
function mayBeReturned(
  { holder, isWatched, lateMs }: Returned,
  instances: readonly ProbeInstance[],
  nowMs: number,
): boolean {
  if (holder === null) return isWatched && lateMs <= SIGNALLED_FOR_MS;
  const probe = instances.find(
    ({ instance, region }) => instance === holder.instance && region === holder.region,
  );
  const isNew =
    probe !== undefined && isSeen(probe, nowMs) && probe.heardSinceMs > nowMs - SEEN_FOR_MS;
  return !isNew;
}

async function returnAll(needs: OverdueNeeds, batch: readonly Returned[]): Promise<void> {
  const holders = batch.flatMap(({ holder }) => holder ?? []);
  const monitorIds = [...new Set(batch.map(({ monitorId }) => monitorId))];
  // The workflow is signalled first, so that it does not continue with the next attempt.
  await Promise.all(monitorIds.map((id) => needs.gateway.endWatch(id)));
  await failAll(needs, holders, OVERDUE);
  // If a hanging probe has received the watch without opening it, its attempt is failed. Otherwise, the workflow would
  // keep waiting for the watch.
  await failTaken(
    needs,
    batch.filter(({ holder }) => holder === null),
  );
}

/** Fails attempts that a probe received but did not open. Returns the watches of these attempts. */
async function failTaken(
  { gateway }: OverdueNeeds,
  batch: readonly Returned[],
): Promise<readonly Returned[]> {
  const areTaken = await Promise.all(batch.map((one) => gateway.failUnopenedWatch(one, OVERDUE)));
  return batch.filter((_, index) => areTaken[index]);
}

async function report(
  { stores, notifyOperator }: OverdueNeeds,
  returned: readonly Returned[],
): Promise<void> {
  for (const region of new Set(returned.map((one) => one.region))) {
    const ids = returned.flatMap((one) => (one.region === region ? [one.monitorId] : []));
    await stores.watches.addToTotals(region, { returned: ids.length });
    const monitors = ids.slice(0, IDS_LOGGED_MAX).join(' ');
    const facts = { region, count: String(ids.length), monitors };
    notifyOperator(facts, 'watches were returned because their next slots are overdue');
  }
}
