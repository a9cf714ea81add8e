/**
 * The watches of one region in a probe. Each watch makes one check per slot as long as the outcome stays the same. A
 * process measures each slot at most once, and begins with the newest due slot. Missed slots are counted from the last
 * slot that the API has stored.
 */
import type { ProbeActivities } from '../../contracts/activities';
import type { MovedGrid, Watch } from '../../contracts/watches';
import type { InternalApiClient } from '../internal-api-client';
import type { ApiClock } from './api-clock';
import { createInFlight } from './in-flight';
import { createOpenWatch, type OpenWatch } from './open-watches';
import { pause } from './pause';
import { createResultQueue, type ResultQueue } from './result-queue';
import {
  type AttemptEnd,
  beginWatch,
  endSoon,
  followSignal,
  isSameWatch,
  moveGrid,
  type RunningWatch,
  readEnd,
  type WatchAttempt,
} from './running-watch';
import { makeChecks } from './watch-checks';

/** Maximum number of checks that run at a time. The limit is high because checks mostly wait for a target. */
const CHECKS_AT_ONCE = 400;
/** How long a new watch waits for the response of the API before it begins its checks without the response. */
const OPENED_WITHIN_MS = 2_000;
/** How long an ending watch waits for receipts of its results. */
const RECEIPTS_WITHIN_MS = 2_000;

export interface Watcher {
  readonly watch: (watch: Watch, attempt: WatchAttempt) => Promise<AttemptEnd>;
  /**
   * Continues the watches of these monitors on the given slot grids. Grids that are already known, and grids of other
   * monitors, are ignored.
   */
  readonly moveGrids: (moved: readonly MovedGrid[]) => void;
  /** Hands over all watches after their running checks have ended. Accepts no further watch. */
  readonly drain: () => Promise<void>;
}

export interface WatcherNeeds {
  readonly runHttpStep: ProbeActivities['runHttpStep'];
  readonly internalApi: Pick<InternalApiClient, 'openWatches' | 'deliverResults'>;
  readonly clock: Pick<ApiClock, 'nowMs'>;
  /** If false, each watch ends before its first slot, and the workflow makes the checks. */
  readonly isEnabled: boolean;
}

export function createWatcher({ internalApi, isEnabled, ...needs }: WatcherNeeds): Watcher {
  const openWatch = createOpenWatch(internalApi);
  const results = createResultQueue(internalApi);
  const tools = { ...needs, results, inFlight: createInFlight(CHECKS_AT_ONCE) };
  const running = new Map<string, RunningWatch>();
  let isDraining = false;
  const askAgain = (one: RunningWatch, slotMs: number): void => void readAgain(open, one, slotMs);

  function watch(given: Watch, attempt: WatchAttempt): Promise<AttemptEnd> {
    return new Promise((resolve) => {
      const known = running.get(given.id);
      known?.resolve({ kind: 'replaced' });
      const isGoingOn = known?.rest.signal.aborted === false && isSameWatch(known.watch, given);
      if (!isGoingOn) known?.finish({ kind: 'moved' });
      const one = isGoingOn
        ? Object.assign(known, { attempt })
        : beginWatch(given, attempt, askAgain);
      one.resolve = resolve;
      running.set(given.id, one);
      followSignal(one, attempt);
      // The API must learn about the new attempt, even if the same watch continues on this probe.
      void (isGoingOn ? open(one) : follow(one));
    });
  }

  /** Makes checks until the watch is over, then delivers the results and ends the attempt. */
  async function follow(one: RunningWatch): Promise<void> {
    if (!isEnabled) one.finish({ kind: 'refused' });
    if (isDraining) one.finish({ kind: 'drained' });
    // If the API is down, the watch begins at the slot where the workflow stopped. The results wait in the queue until
    // the API responds.
    await Promise.race([open(one), pause(OPENED_WITHIN_MS), one.isOver]);
    void makeChecks(tools, one);
    await one.isOver;
    const isConfirmed = await results.flush(one.owner, RECEIPTS_WITHIN_MS);
    if (running.get(one.watch.id) === one) running.delete(one.watch.id);
    one.resolve(readEnd(one, isConfirmed && one.knowsAllResults));
  }

  const open = (one: RunningWatch): Promise<void> => openOne({ openWatch, results }, one);

  function moveGrids(moved: readonly MovedGrid[]): void {
    for (const { id, revision, ...grid } of moved) {
      const one = running.get(id);
      // A watch of another revision is ignored here, because its workflow cancels it.
      if (one?.watch.revision === revision && moveGrid(one, grid)) results.dropFormer(one.owner);
    }
  }

  async function drain(): Promise<void> {
    isDraining = true;
    await Promise.all([...running.values()].map((one) => endSoon(one, 'drained')));
    await Promise.all(
      [...running.values()].map(({ owner }) => results.flush(owner, RECEIPTS_WITHIN_MS)),
    );
  }

  return { watch, moveGrids, drain };
}

interface OpenTools {
  readonly openWatch: OpenWatch;
  readonly results: Pick<ResultQueue, 'dropFormer'>;
}

/** Reports the watch to the API. Ends the watch if the API refuses it. */
async function openOne({ openWatch, results }: OpenTools, one: RunningWatch): Promise<void> {
  const { accountId, id: monitorId, revision } = one.watch;
  const { taskToken } = one.attempt;
  const opening = { accountId, monitorId, revision, taskToken };
  const { isOpen, lastStoredMs, grid } = await openWatch(opening, one.rest.signal);
  one.owner.lastStoredMs = Math.max(one.owner.lastStoredMs, lastStoredMs ?? 0);
  one.owner.isOpen ||= isOpen;
  one.knowsAllResults ||= isOpen;
  if (!isOpen) one.finish({ kind: 'refused' });
  else if (grid !== undefined && moveGrid(one, grid)) results.dropFormer(one.owner);
}

/**
 * Asks the API why it refused a result. The watch continues if its grid has changed, or if the slot was stored before.
 * Otherwise, it ends.
 */
async function readAgain(
  open: (one: RunningWatch) => Promise<void>,
  one: RunningWatch,
  slotMs: number,
): Promise<void> {
  const { gridVersion } = one;
  await open(one);
  if (one.gridVersion !== gridVersion || one.owner.lastStoredMs >= slotMs) return;
  one.knowsAllResults = false;
  one.finish({ kind: 'refused' });
}
