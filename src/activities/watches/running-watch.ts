/** One watch of a probe: its state, its end, and how its activity attempt is reported to Temporal. Runs no checks. */
import type { Watch, WatchEnd, WatchGrid, WatchReceipt } from '../../contracts/watches';
import { hashText } from '../../domain/definitions/hash-text';
import { type Grid, isOnGrid, listOpenGrids } from '../../domain/health/schedule';
import { pause } from './pause';
import type { QueuedResult, ResultOwner } from './result-queue';

/** How long a running check may still take after the watch was cancelled. */
const IN_FLIGHT_MS = 1_000;
/**
 * Longest time between two heartbeats. It is shorter than the heartbeat timeout of 15 minutes. Each watch has its own
 * period, so that watches that started together do not send heartbeats together.
 */
const BEAT_EVERY_MS = 12 * 60_000;
const BEATS_APART_MS = 4 * 60_000;

/** The end of an attempt of the activity, as reported to Temporal. */
export type AttemptEnd =
  | { readonly kind: 'ended' | 'cancelled'; readonly end: WatchEnd }
  /** The watch must continue in another attempt, on this probe or on another one. Temporal retries the activity. */
  | { readonly kind: 'handed over' }
  /** A later attempt of the same activity has arrived at this probe, so this attempt reports nothing. */
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
  /**
   * `refused` means that the API or the definition does not allow this watch. `moved` means that another probe runs the
   * watch. `drained` means that this probe is shutting down.
   */
  | { readonly kind: 'cancelled' | 'refused' | 'moved' | 'drained' };

export interface RunningWatch {
  /** The watch as the workflow requested it. The current grid is `owner.grid`. */
  readonly watch: Watch;
  readonly owner: ResultOwner;
  /** The version of the monitor that the current grid belongs to. 0 if not known. */
  gridVersion: number;
  /** The activity attempt that reports the end of the watch. */
  attempt: WatchAttempt;
  resolve: (end: AttemptEnd) => void;
  responseTimeMs: number | null;
  /** The last measured slot, whether it is stored or not. */
  measuredMs: number;
  inFlight: Promise<void>;
  /** The last outcome in words, for operators. */
  lastWords: string;
  /**
   * True once the API has confirmed that this probe runs the watch. Until then, an earlier attempt or another probe may
   * have stored results that this probe does not know.
   */
  knowsAllResults: boolean;
  over: Over | null;
  /** Aborted when no further check may start. */
  readonly rest: AbortController;
  /** Aborted to end the wait for the next slot early: the grid has changed, or no further check may start. */
  wait: AbortController;
  /** Resolves when the watch is over. If it ends for several reasons, the first one counts. */
  readonly isOver: Promise<void>;
  readonly finish: (over: Over) => void;
}

/**
 * Creates the watch, which sends heartbeats until it ends. `onOutdated` is called if the API refuses a result of the
 * current grid.
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

/** Notes the receipt of a result. Returns true if the API must be asked why it refused the result. */
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
  // The result is for a slot of a former grid. The first slot of the current grid replaces it.
  if (receipt === 'outdated' && !isOnGrid(one.owner.grid, slotMs)) return false;
  one.knowsAllResults = false;
  if (receipt === 'outdated') return true;
  one.finish({ kind: receipt === 'moved' ? 'moved' : 'refused' });
  return false;
}

/**
 * Continues the watch on the given grid, unless the watch already has a newer grid. Results for slots before the start
 * of the given grid still count. Returns true if the slots have changed.
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

/**
 * Lists the earlier grids that have slots after the last stored slot, oldest first. If the last stored slot belongs to
 * none of the known grids, another probe has stored it. The list is then empty.
 */
function listFormerGrids(
  { grid, formerGrids, lastStoredMs }: ResultOwner,
  current: Grid,
): readonly Grid[] {
  const grids = [...formerGrids, grid];
  const [{ anchorMs } = grid] = grids;
  const isKnown = lastStoredMs < anchorMs || grids.some((one) => isOnGrid(one, lastStoredMs));
  return isKnown ? listOpenGrids(grids, current, lastStoredMs) : [];
}

/** Ends the watch when the workflow cancels the attempt, unless a later attempt runs the watch by then. */
export function followSignal(one: RunningWatch, { signal }: WatchAttempt): void {
  const cancel = (): void => {
    if (one.attempt.signal === signal) void endSoon(one, 'cancelled');
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
}

/** Ends the watch. No further check starts. A running check may still report its outcome within a second. */
export async function endSoon(one: RunningWatch, kind: 'cancelled' | 'drained'): Promise<void> {
  one.rest.abort();
  await Promise.race([one.inFlight, pause(IN_FLIGHT_MS)]);
  one.finish({ kind });
}

/** True if both belong to the same activity, so that the later watch is a retry of the earlier one. */
export function isSameWatch(one: Watch, other: Watch): boolean {
  return one.revision === other.revision && one.firstSlotMs === other.firstSlotMs;
}

/** Returns the end that an attempt reports to Temporal after its watch has ended. */
export function readEnd(
  { over, owner, watch, responseTimeMs }: RunningWatch,
  isConfirmed: boolean,
): AttemptEnd {
  if (over?.kind === 'moved' || over?.kind === 'drained') return { kind: 'handed over' };
  const { lastStoredMs } = owner;
  const end: WatchEnd = {
    // After a change of the grid, the last stored slot may be earlier than the first slot of the requested watch.
    lastStoredMs: lastStoredMs > watch.firstSlotMs - watch.intervalMs ? lastStoredMs : null,
    responseTimeMs,
    found: over?.kind === 'found' ? over.found : null,
    isConfirmed,
  };
  return { kind: over?.kind === 'cancelled' ? 'cancelled' : 'ended', end };
}
