/** One watch of a probe: its state, how it ends, and what its attempt reports then. This file runs no checks. */
import type { StepOutcome } from '../../contracts/outcome';
import type { Watch, WatchEnd, WatchReceipt } from '../../contracts/watches';
import { hashText } from '../../domain/definitions/hash-of';
import { pause } from './pause';
import type { ResultOwner } from './result-queue';

/** After a cancellation of the watch, how long a running check may still take to finish. */
const IN_FLIGHT_MS = 1_000;
/**
 * Shorter than the heartbeat timeout of 15 minutes, for every interval. The time differs between watches, so that
 * watches that started together do not send heartbeats together.
 */
const BEAT_EVERY_MS = 12 * 60_000;
const BEATS_APART_MS = 4 * 60_000;

/** The end of an attempt of the activity, as reported to Temporal. */
export type AttemptEnd =
  | { readonly kind: 'ended' | 'cancelled'; readonly end: WatchEnd }
  /** Temporal must retry the activity, on this probe or on another. */
  | { readonly kind: 'handed over' }
  /** A later attempt of the same activity has arrived at this probe: this attempt reports nothing. */
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
  readonly watch: Watch;
  readonly owner: ResultOwner;
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
  isSure: boolean;
  over: Over | null;
  /** Aborted when no further check may start. */
  readonly rest: AbortController;
  /** Resolves once the watch is over. Only the first reason counts. */
  readonly isOver: Promise<void>;
  readonly finish: (over: Over) => void;
}

/** Creates the watch. It sends heartbeats until the watch is over. */
export function beginWatch(given: Watch, attempt: WatchAttempt): RunningWatch {
  const { accountId, id: monitorId, revision, intervalMs, firstSlotMs } = given;
  const lastStoredMs = firstSlotMs - intervalMs;
  let end = (): void => undefined;
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const grid = { intervalMs, firstSlotMs, lastStoredMs };
  const one: RunningWatch = {
    watch: given,
    owner: {
      ...grid,
      accountId,
      monitorId,
      revision,
      isOpen: false,
      onReceipt: (receipt, { outcome }) => noteReceipt(one, receipt, outcome),
    },
    attempt,
    resolve: () => undefined,
    responseTimeMs: null,
    measuredMs: lastStoredMs,
    inFlight: Promise.resolve(),
    lastWords: 'no check yet',
    isSure: false,
    over: null,
    rest: new AbortController(),
    isOver,
    finish: (over) => {
      one.over ??= over;
      one.rest.abort();
      clearInterval(beats);
      end();
    },
  };
  const beatEveryMs = BEAT_EVERY_MS - (hashText(given.id) % BEATS_APART_MS);
  const beats = setInterval(() => one.attempt.beat(one.lastWords), beatEveryMs);
  return one;
}

function noteReceipt(one: RunningWatch, receipt: WatchReceipt, outcome: StepOutcome): void {
  if (receipt === 'stored') {
    one.responseTimeMs = outcome.responseTimeMs;
    return;
  }
  one.isSure = false;
  one.finish({ kind: receipt === 'moved' ? 'moved' : 'refused' });
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
    lastStoredMs: lastStoredMs >= watch.firstSlotMs ? lastStoredMs : null,
    responseTimeMs,
    found: over?.kind === 'found' ? over.found : null,
    isConfirmed,
  };
  return { kind: over?.kind === 'cancelled' ? 'cancelled' : 'ended', end };
}
