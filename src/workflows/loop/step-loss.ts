/**
 * Finds out why a probe returned no result, and builds an outcome for this case. The outcome is always `unknown`,
 * because failures of Keepwatch never count against the target.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  log,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import { PROBE_STOPPED } from '../../contracts/activities';
import type { Failure, FailureCode, StepOutcome } from '../../contracts/outcome';
import { isProbeOutcome } from '../../domain/health/outcome-shape';
import { createUnmeasuredOutcome } from '../../domain/health/unmeasured';
import { LOSS_SENTENCES } from '../../domain/states/failure-words';
import { readOutcomes, readProgress } from '../../domain/states/stretch';

/**
 * Why a probe returned no result:
 * - `region_unavailable`: no worker took the step, so nothing was sent.
 * - `worker_lost`: a worker took the step and may have sent the request.
 * - `internal_error`: the probe refused the step before it sent anything.
 */
export type StepLoss = Extract<
  FailureCode,
  'region_unavailable' | 'worker_lost' | 'internal_error'
>;

const UNREADABLE = 'The probe reported an invalid result for this check.';

const SENTENCES: Record<StepLoss | 'cancelled', string> = {
  ...LOSS_SENTENCES,
  cancelled: 'The run was cancelled while this step was in progress.',
};

/** Determines the loss that made an activity fail. Rethrows cancellations and other errors. */
export function readLoss(error: unknown): StepLoss {
  if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && cause.type === PROBE_STOPPED) return 'worker_lost';
  if (!(cause instanceof TimeoutFailure)) return 'internal_error';
  return cause.timeoutType === 'SCHEDULE_TO_START' ? 'region_unavailable' : 'worker_lost';
}

/** Builds an outcome without a measurement. */
export function createUnknownOutcome(
  code: StepLoss | 'cancelled',
  startedAtMs: number,
  finishedAtMs: number,
): StepOutcome {
  return unmeasured('unknown', { code, message: SENTENCES[code], phase: null }, [
    startedAtMs,
    finishedAtMs,
  ]);
}

/**
 * Reads the outcome that a probe reported. An invalid report becomes an unknown outcome, because someone else may
 * control the probe.
 */
export function readOutcome(reported: unknown, startedAtMs: number): StepOutcome {
  return isProbeOutcome(reported, Date.now()) ? reported : unreadableOutcome(startedAtMs);
}

/**
 * Reads the outcomes that a probe reported for `count` steps. If the list is invalid, any of the steps may have been
 * sent.
 */
export function readStretch(
  reported: unknown,
  count: number,
  startedAtMs: number,
): readonly StepOutcome[] {
  const nowMs = Date.now();
  // A probe of an earlier release carries out only the first step.
  if (isProbeOutcome(reported, nowMs)) return [reported];
  const outcomes = readOutcomes(reported, nowMs);
  const isReadable = outcomes !== null && outcomes.length > 0 && outcomes.length <= count;
  return isReadable ? outcomes : unreadableOutcomes(count, startedAtMs);
}

/**
 * Reads the outcomes of the steps that were finished before the activity failed. `count` is the number of steps in the
 * activity. The next unfinished step may have been sent.
 */
export function readFinished(
  error: unknown,
  count: number,
  startedAtMs: number,
): readonly StepOutcome[] {
  if (count < 2 || !(error instanceof ActivityFailure)) return [];
  const { cause } = error;
  const finished = readProgress(progressIn(cause), Date.now());
  if (finished !== null && finished.length < count) return finished;
  // After a cancellation, no remaining step is sent.
  return cause instanceof CancelledFailure ? [] : unreadableOutcomes(count, startedAtMs);
}

function progressIn(cause: unknown): unknown {
  if (cause instanceof TimeoutFailure) return cause.lastHeartbeatDetails;
  const isOfProbe = cause instanceof CancelledFailure || cause instanceof ApplicationFailure;
  return isOfProbe ? cause.details?.[0] : undefined;
}

function unreadableOutcomes(count: number, startedAtMs: number): readonly StepOutcome[] {
  return Array.from({ length: count }, () => unreadableOutcome(startedAtMs));
}

function unreadableOutcome(startedAtMs: number): StepOutcome {
  log.warn('ignored an invalid report of a probe');
  const failure = { code: 'internal_error', message: UNREADABLE, phase: null } as const;
  return unmeasured('unknown', failure, [startedAtMs, Date.now()]);
}

function unmeasured(
  status: StepOutcome['status'],
  failure: Failure,
  times: readonly [number, number],
): StepOutcome {
  const [startedAtMs, finishedAtMs] = times;
  const at = (ms: number) => new Date(ms).toISOString();
  return createUnmeasuredOutcome(status, failure, [at(startedAtMs), at(finishedAtMs)]);
}
