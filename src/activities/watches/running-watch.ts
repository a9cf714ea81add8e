/** One watch of a probe: its state, its end, and the report of its attempt. Runs no checks. */
import type { Watch, WatchEnd, WatchGrid, WatchReceipt } from '../../contracts/watches';
import { hashText } from '../../domain/definitions/hash-of';
import { type Grid, isOnGrid, listOpenGrids } from '../../domain/health/schedule';
import { pause } from './pause';
import type { QueuedResult, ResultOwner } from './result-queue';

/** After a cancellation of the watch, how long a running check may still take to finish. */
const IN_FLIGHT_MS = 1_000;
/**
 * Shorter than the heartbeat timeout of 15 minutes, for every interval. Differs between watches, so that watches with
 * the same start do not send heartbeats together.
 */
const BEAT_EVERY_MS = 12 * 60_000;
const BEATS_APART_MS = 4 * 60_000;

/** The end of an attempt of the activity, as reported to Temporal. */
export type AttemptEnd =
  | { readonly kind: 'ended' | 'cancelled'; readonly end: WatchEnd }
  /** Temporal must retry the activity, on this probe or on another. */
  | { readonly kind: 'handed over' }
  /** A later attempt of the same activity has arrived at this probe. This attempt reports nothing. */
  | { readonly kind: 'replaced' };

export interface WatchAttempt {
  /** The task token of the attempt, in base64. */
  readonly taskToken: string;
  /** Aborted when the workflow cancels the watch. */
  readonly signal: AbortSignal;
  /** Sends a heartbeat with the last outcome and its slot in words, for operators. */
  readonly beat: (words: string) => void;
}

/** Why a watch is over. */
type Over =
  | { readonly kind: 'found'; readonly found: WatchEnd['found'] }
  /** `refused`: the API or the definition does not allow the watch any more. `moved`: another probe has the watch. */
  | { readonly kind: 'cancelled' | 'refused' | 'moved' | 'drained' };

export interface RunningWatch {
  /** As the workflow gave it. The current grid is `owner.grid`. */
  readonly watch: Watch;
  readonly owner: ResultOwner;
  /** The version of the monitor that the current grid belongs to. 0: not known. */
  gridVersion: number;
  /** The attempt that reports the end. */
  attempt: WatchAttempt;
  resolve: (end: AttemptEnd) => void;
  responseTimeMs: number | null;
  /** The last measured slot, whether it is stored or not. */
  measuredMs: number;
  inFlight: Promise<void>;
  /** The last outcome, for operators. */
  lastWords: string;
  /** False: an earlier attempt or another probe may have stored more results than this probe knows of. */
  knowsAllResults: boolean;
  over: Over | null;
  /** Aborted when no further check may start. */
  readonly rest: AbortController;
  /** Aborted to end the wait for the next slot early: the grid has changed, or no further check may start. */
  wait: AbortController;
  /** Resolves once the watch is over. Only the first reason counts. */
  readonly isOver: Promise<void>;
  readonly finish: (over: Over) => void;
}

/**
 * Creates the watch. It sends heartbeats until the watch is over. `onOutdated` is called if the API refuses a result that
 * is on the current grid.
 */
export function beginWatch(
  given: Watch,
  attempt: WatchAttempt,
  onOutdated: (one: RunningWatch, slotMs: number) => void,
): RunningWatch {
  const { accountId, id: monitorId, revision, intervalMs, firstSlotMs } = given;
  const lastStoredMs = firstSlotMs - intervalMs;
  let end = (): void => undefined;
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const one: RunningWatch = {
    watch: given,
    owner: {
      grid: { anchorMs: firstSlotMs, intervalMs },
      formerGrids: [],
      lastStoredMs,
      accountId,
      monitorId,
      revision,
      isOpen: false,
      onReceipt: (receipt, result) => {
        if (noteReceipt(one, receipt, result)) onOutdated(one, result.slotMs);
      },
    },
    gridVersion: 0,
    attempt,
    resolve: () => undefined,
    responseTimeMs: null,
    measuredMs: lastStoredMs,
    inFlight: Promise.resolve(),
    lastWords: 'no check yet',
    knowsAllResults: false,
    over: null,
    rest: new AbortController(),
    wait: new AbortController(),
    isOver,
    finish: (over) => {
      one.over ??= over;
      one.rest.abort();
      clearInterval(beats);
      end();
    },
  };
  one.rest.signal.addEventListener('abort', () => one.wait.abort(), { once: true });
  const beatEveryMs = BEAT_EVERY_MS - (hashText(given.id) % BEATS_APART_MS);
  const beats = setInterval(() => one.attempt.beat(one.lastWords), beatEveryMs);
  return one;
}

/** Returns true if the API must be asked why it refused the result. */
function noteReceipt(
  one: RunningWatch,
  receipt: WatchReceipt,
  { slotMs, outcome }: QueuedResult,
): boolean {
  if (receipt === 'stored') {
    const { owner } = one;
    one.responseTimeMs = outcome.responseTimeMs;
    if (owner.formerGrids.length > 0)
      owner.formerGrids = listOpenGrids(owner.formerGrids, owner.grid, owner.lastStoredMs);
    return false;
  }
  // The result is of a former grid. The first slot of the current grid replaces it.
  if (receipt === 'outdated' && !isOnGrid(one.owner.grid, slotMs)) return false;
  one.knowsAllResults = false;
  if (receipt === 'outdated') return true;
  one.finish({ kind: receipt === 'moved' ? 'moved' : 'refused' });
  return false;
}

/**
 * Continues on the grid, unless the watch has a newer grid. Results for slots before the grid began still count.
 * Returns true if the slots have changed.
 */
export function moveGrid(one: RunningWatch, { version, anchorMs, intervalMs }: WatchGrid): boolean {
  const { owner } = one;
  if (version <= one.gridVersion) return false;
  one.gridVersion = version;
  const isSame = (owner.grid.anchorMs - anchorMs) % intervalMs === 0;
  if (isSame && owner.grid.intervalMs === intervalMs) return false;
  owner.formerGrids = listFormerGrids(owner, { anchorMs, intervalMs });
  owner.grid = { anchorMs, intervalMs };
  one.measuredMs = Math.min(one.measuredMs, anchorMs - 1);
  const { wait } = one;
  if (!one.rest.signal.aborted) one.wait = new AbortController();
  wait.abort();
  return true;
}

/** Returns no grids if another probe has continued on a grid that this probe does not know. */
function listFormerGrids(
  { grid, formerGrids, lastStoredMs }: ResultOwner,
  current: Grid,
): readonly Grid[] {
  const grids = [...formerGrids, grid];
  const [{ anchorMs } = grid] = grids;
  const isKnown = lastStoredMs < anchorMs || grids.some((one) => isOnGrid(one, lastStoredMs));
  return isKnown ? listOpenGrids(grids, current, lastStoredMs) : [];
}

/** Ends the watch when the workflow cancels this attempt, unless a later attempt has taken over. */
export function followSignal(one: RunningWatch, { signal }: WatchAttempt): void {
  const cancel = (): void => {
    if (one.attempt.signal === signal) void endSoon(one, 'cancelled');
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
}

/** Starts no further check. A running check may still report its outcome. */
export async function endSoon(one: RunningWatch, kind: 'cancelled' | 'drained'): Promise<void> {
  one.rest.abort();
  await Promise.race([one.inFlight, pause(IN_FLIGHT_MS)]);
  one.finish({ kind });
}

/** True if both are the same activity, retried by Temporal. */
export function isSameWatch(one: Watch, other: Watch): boolean {
  return one.revision === other.revision && one.firstSlotMs === other.firstSlotMs;
}

/** Returns the report of an attempt about a watch that has ended. */
export function readEnd(
  { over, owner, watch, responseTimeMs }: RunningWatch,
  isConfirmed: boolean,
): AttemptEnd {
  if (over?.kind === 'moved' || over?.kind === 'drained') return { kind: 'handed over' };
  const { lastStoredMs } = owner;
  const end: WatchEnd = {
    // The first slot of a later grid may come before the first slot of the given one.
    lastStoredMs: lastStoredMs > watch.firstSlotMs - watch.intervalMs ? lastStoredMs : null,
    responseTimeMs,
    found: over?.kind === 'found' ? over.found : null,
    isConfirmed,
  };
  return { kind: over?.kind === 'cancelled' ? 'cancelled' : 'ended', end };
}
