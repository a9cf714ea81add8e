/**
 * Watches of one region in a probe: each makes one check per slot for as long as its outcome looks the same. It judges
 * no health, and decides nothing but when a watch is over. Guarantees: a slot is measured once here; the newest due
 * slot comes first; what was missed is named from the last slot that the API has stored, never from memory.
 */
import type { ProbeActivities } from '../../contracts/activities';
import type { StepOutcome } from '../../contracts/outcome';
import type { Watch, WatchEnd, WatchReceipt } from '../../contracts/watches';
import { hashOf } from '../../domain/definitions/hash-of';
import { lateCheckWaitMs } from '../../domain/health/late-checks';
import { planSlot } from '../../domain/health/schedule';
import {
  describeOutcome,
  isSameOutcome,
  readSteadyOutcome,
} from '../../domain/health/steady-outcome';
import type { InternalApiClient } from '../internal-api-client';
import { isRefusedForNow } from '../probe-activities';
import type { ApiClock } from './api-clock';
import { createInFlight } from './in-flight';
import { createOpenWatch } from './open-watches';
import { pause } from './pause';
import { createResultQueue, type ResultOwner } from './result-queue';

/** Mostly they wait for a target. */
const CHECKS_AT_ONCE = 400;
/** A check in flight may end by itself when its watch is cancelled. */
const IN_FLIGHT_MS = 1_000;
/** Checks begin without the API's response after so long. */
const OPENED_WITHIN_MS = 2_000;
/** A watch that ends waits for receipts of what it has measured. */
const RECEIPTS_WITHIN_MS = 2_000;
/** Within the heartbeat time-out of 15 minutes, whatever the interval; those that began together drift apart. */
const BEAT_EVERY_MS = 12 * 60_000;
const BEATS_APART_MS = 4 * 60_000;
/** A clock that was set, or a process that stood still, is noticed within this time. */
const LOOK_EVERY_MS = 60_000;

/** How an attempt of the activity ends; who serves it reports that to Temporal. */
export type AttemptEnd =
  | { readonly kind: 'ended' | 'cancelled'; readonly end: WatchEnd }
  /** The server is to repeat it, here or elsewhere. */
  | { readonly kind: 'handed over' }
  /** A later attempt of the same activity is here: nothing is reported. */
  | { readonly kind: 'replaced' };

export interface WatchAttempt {
  /** In base64. */
  readonly taskToken: string;
  /** Aborted when the workflow cancels the watch. */
  readonly signal: AbortSignal;
  /** The last outcome and its slot in words, for operators. */
  readonly beat: (words: string) => void;
}

export interface Watcher {
  readonly watch: (watch: Watch, attempt: WatchAttempt) => Promise<AttemptEnd>;
  /** Hands over all watches, after their checks in flight; no further one is taken. */
  readonly drain: () => Promise<void>;
}

export interface WatcherNeeds {
  readonly runHttpStep: ProbeActivities['runHttpStep'];
  readonly internalApi: Pick<InternalApiClient, 'openWatches' | 'deliverResults'>;
  readonly clock: Pick<ApiClock, 'nowMs'>;
  /** False: each watch ends before its first slot. */
  readonly isEnabled: boolean;
}

/** Why a watch is over. */
type Over =
  | { readonly kind: 'found'; readonly found: WatchEnd['found'] }
  /** `refused`: the API or the definition does not allow it any more; `moved`: another probe has it. */
  | { readonly kind: 'cancelled' | 'refused' | 'moved' | 'drained' };

interface Running {
  readonly watch: Watch;
  readonly owner: ResultOwner;
  /** The one that reports the end. */
  attempt: WatchAttempt;
  resolve: (end: AttemptEnd) => void;
  responseTimeMs: number | null;
  /** Measured, stored or not. */
  measuredMs: number;
  inFlight: Promise<void>;
  /** The last outcome, for operators. */
  lastWords: string;
  /** False: more may be stored than this knows of, by an earlier attempt or another probe. */
  isSure: boolean;
  over: Over | null;
  /** Aborted when no further check is to begin. */
  readonly rest: AbortController;
  /** Resolves once it is over; only the first reason counts. */
  readonly isOver: Promise<void>;
  readonly finish: (over: Over) => void;
}

export function createWatcher(needs: WatcherNeeds): Watcher {
  const { runHttpStep, clock, internalApi } = needs;
  const openWatch = createOpenWatch(internalApi);
  const results = createResultQueue(internalApi);
  const inFlight = createInFlight(CHECKS_AT_ONCE);
  const running = new Map<string, Running>();
  let isDraining = false;

  function watch(given: Watch, attempt: WatchAttempt): Promise<AttemptEnd> {
    return new Promise((resolve) => {
      const known = running.get(given.id);
      known?.resolve({ kind: 'replaced' });
      const isGoingOn = known?.rest.signal.aborted === false && isSameWatch(known.watch, given);
      if (!isGoingOn) known?.finish({ kind: 'moved' });
      const one = isGoingOn ? Object.assign(known, { attempt, resolve }) : begin(given, attempt);
      one.resolve = resolve;
      followSignal(one, attempt);
      // The API learns who has it, also of one that goes on.
      void (isGoingOn ? open(one) : follow(one));
    });
  }

  function begin(given: Watch, attempt: WatchAttempt): Running {
    const { accountId, id: monitorId, revision, intervalMs, firstSlotMs } = given;
    const lastStoredMs = firstSlotMs - intervalMs;
    let end = (): void => undefined;
    const isOver = new Promise<void>((resolve) => {
      end = resolve;
    });
    const one: Running = {
      watch: given,
      owner: {
        ...{ accountId, monitorId, revision, intervalMs, firstSlotMs, lastStoredMs },
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
    const beatEveryMs = BEAT_EVERY_MS - (hashOf(given.id) % BEATS_APART_MS);
    const beats = setInterval(() => one.attempt.beat(one.lastWords), beatEveryMs);
    running.set(given.id, one);
    return one;
  }

  /** Until it is over; then what was measured is delivered, and the attempt ends. */
  async function follow(one: Running): Promise<void> {
    if (!needs.isEnabled) one.finish({ kind: 'refused' });
    if (isDraining) one.finish({ kind: 'drained' });
    const opening = open(one);
    // While the API is away the watch begins where the workflow has left off; its results wait.
    await Promise.race([opening, pause(OPENED_WITHIN_MS), one.isOver]);
    void makeChecks(one);
    await one.isOver;
    const isConfirmed = await results.flush(one.owner, RECEIPTS_WITHIN_MS);
    if (running.get(one.watch.id) === one) running.delete(one.watch.id);
    one.resolve(readEnd(one, isConfirmed && one.isSure));
  }

  /** It is over when the monitor is not to be watched as this says. */
  async function open(one: Running): Promise<void> {
    const { accountId, id: monitorId, revision } = one.watch;
    const { taskToken } = one.attempt;
    const opening = { accountId, monitorId, revision, taskToken };
    const { isOpen, lastStoredMs } = await openWatch(opening, one.rest.signal);
    one.owner.lastStoredMs = Math.max(one.owner.lastStoredMs, lastStoredMs ?? 0);
    one.owner.isOpen ||= isOpen;
    one.isSure ||= isOpen;
    if (!isOpen) one.finish({ kind: 'refused' });
  }

  async function makeChecks(one: Running): Promise<void> {
    const { watch: given, rest } = one;
    while (!rest.signal.aborted) {
      const plannedMs = dueSlotMs(one);
      // What has to be decided then is for the workflow.
      if (given.untilMs !== null && plannedMs >= given.untilMs)
        return one.finish({ kind: 'refused' });
      await waitForSlot(one, plannedMs);
      const leave = await inFlight.take(plannedMs);
      one.inFlight = checkDueSlot(one).finally(leave);
      await one.inFlight;
    }
  }

  /** Others may have been first for long: the newest slot that is due by now. */
  async function checkDueSlot(one: Running): Promise<void> {
    const slotMs = dueSlotMs(one);
    const { untilMs } = one.watch;
    const isLeftAlone = untilMs !== null && slotMs >= untilMs;
    const mayBegin = !one.rest.signal.aborted && !isLeftAlone && slotMs <= clock.nowMs();
    if (mayBegin) await check(one, slotMs);
  }

  function dueSlotMs({ watch: { firstSlotMs, intervalMs }, owner, measuredMs }: Running): number {
    const lastSlotMs = Math.max(measuredMs, owner.lastStoredMs);
    const grid = { anchorMs: firstSlotMs, intervalMs };
    return planSlot({ ...grid, lastSlotMs, nowMs: clock.nowMs() }).dueAtMs;
  }

  /** A process that stood still wakes with all its checks at once: they are spread, once each. */
  async function waitForSlot({ watch: { id, intervalMs }, rest }: Running, slotMs: number) {
    const waitMs = slotMs - clock.nowMs();
    if (waitMs <= 0) return;
    for (let leftMs = waitMs; leftMs > 0 && !rest.signal.aborted; leftMs = slotMs - clock.nowMs())
      await pause(Math.min(leftMs, LOOK_EVERY_MS), rest.signal);
    const nowMs = clock.nowMs();
    const lateMs = lateCheckWaitMs({ id, slotMs, intervalMs, nowMs });
    if (lateMs > 0) await pause(lateMs, rest.signal);
  }

  async function check(one: Running, slotMs: number): Promise<void> {
    const { accountId, id, revision, intervalMs, expected } = one.watch;
    one.measuredMs = slotMs;
    const step = { accountId, kind: 'monitor', id, revision, stepIndex: 0, slotMs } as const;
    const outcome = await runHttpStep(step).catch((error: unknown) => {
      // While the API is away the definition may be unknown: the slot is named as missed by the next result.
      if (!isRefusedForNow(error)) one.finish({ kind: 'refused' });
      return null;
    });
    if (outcome === null || one.over !== null) return;
    const isOverrun = clock.nowMs() >= slotMs + intervalMs;
    if (isOverrun || !isSameOutcome(readSteadyOutcome(outcome), expected)) {
      one.finish({ kind: 'found', found: { slotMs, outcome } });
      return;
    }
    results.add({ owner: one.owner, slotMs, outcome });
    one.lastWords = describeOutcome(outcome, slotMs);
  }

  function noteReceipt(one: Running, receipt: WatchReceipt, outcome: StepOutcome): void {
    if (receipt === 'stored') {
      one.responseTimeMs = outcome.responseTimeMs;
      return;
    }
    one.isSure = false;
    one.finish({ kind: receipt === 'moved' ? 'moved' : 'refused' });
  }

  function followSignal(one: Running, { signal }: WatchAttempt): void {
    const cancel = (): void => {
      if (one.attempt.signal === signal) void endSoon(one, 'cancelled');
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  }

  /** No further check begins; the one in flight may still say what it found. */
  async function endSoon(one: Running, kind: 'cancelled' | 'drained'): Promise<void> {
    one.rest.abort();
    await Promise.race([one.inFlight, pause(IN_FLIGHT_MS)]);
    one.finish({ kind });
  }

  async function drain(): Promise<void> {
    isDraining = true;
    await Promise.all([...running.values()].map((one) => endSoon(one, 'drained')));
    const open = [...running.values()].map(({ owner }) => results.flush(owner, RECEIPTS_WITHIN_MS));
    await Promise.all(open);
  }

  return { watch, drain };
}

/** The same activity, begun once more by the server. */
function isSameWatch(one: Watch, other: Watch): boolean {
  return one.revision === other.revision && one.firstSlotMs === other.firstSlotMs;
}

function readEnd(
  { over, owner, watch, responseTimeMs }: Running,
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
