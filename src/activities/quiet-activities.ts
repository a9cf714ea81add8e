/**
 * Quiet checks in a probe: each attempt of one activity is one slot. An attempt whose check looks like
 * those before stores the result through the API and fails on purpose, to be repeated at the next slot;
 * whatever else happens ends the activity, and the workflow decides. It judges no health.
 */
import { performance } from 'node:perf_hooks';
import { ApplicationFailure, CompleteAsyncError, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import {
  type ProbeActivities,
  QUIET_SLOT_DONE,
  type QuietActivities,
} from '../contracts/activities';
import type { StepOutcome } from '../contracts/outcome';
import type { Gap } from '../contracts/records';
import type { QuietMark, Watch, WatchEnd } from '../contracts/watches';
import { lateCheckWaitMs } from '../domain/health/late-checks';
import {
  describeQuietCheck,
  expectationOf,
  isSameExpectation,
  nextQuietSlot,
  toQuietMark,
} from '../domain/health/steady-outcome';
import type { AttemptTime } from './attempt-clock';
import { isRefusedForNow } from './probe-activities';
import type { ResultSender } from './result-sender';

/** A timer of the server may be this early. */
const EARLY_MS = 1_000;
/** As long as a restart of the API takes, and a response that is slow. */
const RECEIPT_WITHIN_MS = 6_000;
/** An attempt that waited for less was next in line. */
const WAITED_MS = 1_000;
/** Of the attempt's time-out, for the report of its end. */
const REPORT_MS = 3_000;

export interface QuietDependencies {
  readonly runHttpStep: ProbeActivities['runHttpStep'];
  readonly sender: ResultSender;
  /** Of the attempt that begins now. */
  readonly attemptTime: () => AttemptTime | Promise<AttemptTime>;
  /** False: what is quiet ends with its next slot. */
  readonly isEnabled: boolean;
  /**
   * Reports the failure of the attempt and what it leaves to the next one in one call, and throws
   * CompleteAsyncError once the server has both. The SDK's own two calls serve where it fails or is absent.
   */
  readonly failAttempt?: (failure: ApplicationFailure, mark: QuietMark) => Promise<never>;
}

interface Attempt {
  readonly check: Watch;
  readonly mark: QuietMark | null;
  /** The newest one that is due; the one after the last that is stored while none is. */
  readonly slotMs: number;
  /** The slots between, whose time is over; null for most attempts. */
  readonly gap: Gap | null;
  /** By the server's clock. */
  readonly nowMs: () => number;
  readonly waitedMs: number;
  /** When the server gives the attempt up, by the same clock. */
  readonly endsMs: number;
}

export function createQuietActivities(needs: QuietDependencies): QuietActivities {
  return {
    checkWhileQuiet: async (check) => {
      const { info } = Context.current();
      const mark = toQuietMark(info.heartbeatDetails);
      const sinceMs = performance.now();
      const { nowMs: startedMs, waitedMs } = await needs.attemptTime();
      const nowMs = () => startedMs + Math.round(performance.now() - sinceMs);
      const { dueAtMs: slotMs, gap } = nextQuietSlot(check, mark, startedMs);
      const endsMs = startedMs + info.startToCloseTimeoutMs;
      const attempt = { check, mark, nowMs, waitedMs, endsMs, slotMs, gap };
      if (nowMs() < slotMs - EARLY_MS)
        return repeatAt(needs, attempt, { mark, message: 'waits for its slot' });
      if (!needs.isEnabled) return endingOf(mark, null);
      const waitMs = lateWaitMs(attempt);
      return waitMs > 0 ? waitLate(needs, attempt, waitMs) : checkSlot(needs, attempt);
    },
  };
}

/**
 * What waited in line comes one after the other anyway, and is not put back into it. Once between two results, not once a slot: where there is too much to do each wait ends after the next slot,
 * and one that began anew with it would put the check off for ever.
 */
function lateWaitMs({ check, mark, slotMs, nowMs, waitedMs }: Attempt): number {
  if (mark?.lateSlotMs !== undefined) return 0;
  return lateCheckWaitMs({ ...check, slotMs, nowMs: nowMs() - waitedMs });
}

function waitLate(
  needs: QuietDependencies,
  { check, mark, slotMs, nowMs }: Attempt,
  waitMs: number,
): Promise<never> {
  const lastSlotMs = check.firstSlotMs - check.intervalMs;
  const before = mark ?? { lastSlotMs, responseTimeMs: null };
  return repeatAt(
    needs,
    { slotMs: nowMs() + waitMs, nowMs },
    {
      mark: { ...before, lateSlotMs: slotMs },
      message: 'is late, and waits so that not all begin at once',
    },
  );
}

async function checkSlot(needs: QuietDependencies, attempt: Attempt): Promise<WatchEnd> {
  const { runHttpStep, sender } = needs;
  const { check, mark, slotMs, gap, nowMs } = attempt;
  const { accountId, id, revision, intervalMs } = check;
  const asked = { accountId, kind: 'monitor', id, revision, stepIndex: 0, slotMs } as const;
  const step = check.isFirstTryOnly === true ? { ...asked, isFirstTryOnly: true } : asked;
  const outcome = await runHttpStep(step).catch(refusalOf);
  // An API that is away may be about to start, and the workflow's own check would need it just the same.
  const waitMs = outcome === 'refused for now' ? lateWaitMs(attempt) : 0;
  if (waitMs > 0) return waitLate(needs, attempt, waitMs);
  // What can't be prepared was not sent: the workflow's own check says why.
  if (typeof outcome === 'string') return endingOf(mark, null);
  // What comes after a gap is measured again by the workflow, which names the gap with it.
  const ending = endingOf(mark, gap === null ? { slotMs, outcome } : null);
  const isOverrun = nowMs() >= slotMs + intervalMs;
  if (isOverrun || !isSameExpectation(expectationOf(outcome), check.expected)) return ending;
  const nextSlotMs = slotMs + intervalMs;
  const result = { accountId, monitorId: id, revision, slotMs, nextSlotMs, outcome, gap };
  const receipt = await sender.send(result, receiptWithinMs(attempt)).catch(() => null);
  if (receipt === 'gone') return { ...endingOf(mark, null), isGone: true };
  // Where nobody knows, the gap may be stored with what came after it.
  if (receipt !== 'stored') return { ...ending, isSure: gap === null || receipt !== null };
  const next = { lastSlotMs: slotMs, responseTimeMs: outcome.responseTimeMs };
  if (check.isPatient === true && attempt.waitedMs < WAITED_MS)
    return { ...endingOf(next, null), isStillQuiet: true };
  const message = describeQuietCheck(outcome, slotMs);
  return repeatAt(needs, { slotMs: nextSlotMs, nowMs }, { mark: next, message });
}

function refusalOf(error: unknown): 'refused' | 'refused for now' {
  return isRefusedForNow(error) ? 'refused for now' : 'refused';
}

/** A check that took long leaves less; what nobody confirmed in time is recorded by the workflow. */
function receiptWithinMs({ endsMs, nowMs }: Attempt): number {
  return Math.max(0, Math.min(RECEIPT_WITHIN_MS, endsMs - REPORT_MS - nowMs()));
}

function endingOf(
  mark: QuietMark | null,
  found: { readonly slotMs: number; readonly outcome: StepOutcome } | null,
): WatchEnd {
  return { mark, found, isGone: false, isSure: true };
}

/** What an attempt leaves: to the next one, and to operators in words. */
interface Legacy {
  readonly mark: QuietMark | null;
  readonly message: string;
}

/** Always throws: the next attempt comes at the slot, and knows the mark. */
async function repeatAt(
  { failAttempt }: QuietDependencies,
  at: Pick<Attempt, 'slotMs' | 'nowMs'>,
  legacy: Legacy,
): Promise<never> {
  const { mark } = legacy;
  if (mark === null) throw slotDone(at, legacy);
  await failAttempt?.(slotDone(at, legacy), mark).catch((error: unknown) => {
    if (error instanceof CompleteAsyncError) throw error;
  });
  Context.current().heartbeat(mark);
  throw slotDone(at, legacy);
}

function slotDone(
  { slotMs, nowMs }: Pick<Attempt, 'slotMs' | 'nowMs'>,
  { mark, message }: Legacy,
): ApplicationFailure {
  const failure = ApplicationFailure.create({
    message,
    type: QUIET_SLOT_DONE,
    details: [mark],
    nextRetryDelay: Math.max(1, slotMs - nowMs()),
    category: ApplicationFailureCategory.BENIGN,
  });
  // It says nothing here, and would be rendered, sent and stored with each slot.
  failure.stack = '';
  return failure;
}
