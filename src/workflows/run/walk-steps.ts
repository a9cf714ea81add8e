/** Carries out the steps of a run: sends, repeats and skips steps, waits between them, and cleans up. */

import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { isIdempotent } from '../../contracts/definition';
import type { FailureCode, StepOutcome } from '../../contracts/outcome';
import type { ScenarioRunInput } from '../../contracts/scenario-run';
import type { StepPlan } from '../../contracts/workflows';
import { cutText } from '../../domain/text/cut-text';
import { isHistoryLarge } from '../loop/continue';
import { noticedAfterMs } from '../loop/probe-timeouts';
import { formatInstant } from '../loop/show';
import { createUnknownOutcome } from '../loop/step-loss';
import {
  buildRestInput,
  isHurried,
  mayShareActivity,
  noteOutcome,
  noteSkipped,
  noteStep,
  noteTry,
  type Run,
} from './run-record';
import { type Stretch, sendStretch, type TakeOutcome } from './send-step';

export interface WalkOptions {
  /** Saves the current state of the run, at most once per `atMostEveryMs`. */
  readonly note: (atMostEveryMs: number) => Promise<void>;
  /** True if intentional waits also count towards the time limit. */
  readonly countsWaiting: boolean;
  /** Continues as new before the next attempt of a step. Never returns. */
  readonly startOver: (rest: ScenarioRunInput) => Promise<void>;
}

interface Walk extends WalkOptions {
  readonly run: Run;
}

interface StepPosition {
  readonly index: number;
  readonly plan: StepPlan;
}

const AT_EACH_CHANGE = 0;
/** Minimum time between two saves while a step is repeated. */
const NOTED_EVERY_MS = 5_000;

/** After these failures, another attempt would end in the same way. */
const FINAL_FAILURES: ReadonlySet<FailureCode | undefined> = new Set<FailureCode>([
  'template_error',
  'blocked_target',
]);

/**
 * A request that the time limit cuts off may have a measured time that is shorter than the limit by up to this much.
 */
const LIMIT_GRAIN_MS = 50;

/**
 * Resolves when every step has passed, failed or been skipped. After a cancellation or at the time limit, the remaining
 * steps are skipped, except those marked `always`.
 */
export async function walkSteps(run: Run, options: WalkOptions): Promise<void> {
  const walk = { ...options, run };
  try {
    await takeRemaining(walk);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    noteInterruption(run);
  }
  await CancellationScope.nonCancellable(() => takeRemaining(walk));
  run.finishedAtMs = Date.now();
}

async function takeRemaining(walk: Walk): Promise<void> {
  const { run } = walk;
  for (const [index, plan] of run.input.steps.entries()) {
    const isRepeated = run.repeated?.index === index;
    if (run.steps[index]?.status !== 'pending' && !isRepeated) continue;
    if (!isSkipped(run, { index, plan })) await takeStep(walk, { index, plan });
  }
}

/** Returns true and records the step as skipped if it must not be sent any more. */
function isSkipped(run: Run, { index, plan }: StepPosition): boolean {
  if (run.removed && !isHurried(run)) run.stop = 'removed';
  if (run.leftMs <= 0 && !isHurried(run)) run.stop = 'timed_out';
  if (run.stop === null || plan.always) return false;
  noteSkipped(run, index, run.stop);
  return true;
}

async function takeStep(walk: Walk, place: StepPosition): Promise<void> {
  const { run, note } = walk;
  const { index, plan } = place;
  const beganAtMs = takeRepeated(run);
  if (beganAtMs === null) {
    if (plan.waitMs > 0 && !isHurried(run)) {
      await pause(walk, place, { untilMs: Date.now() + plan.waitMs, isRepeated: false });
      if (isSkipped(run, place)) return;
    }
    const isStored = isStoredBefore(run, place);
    noteStep(run, index, { status: 'running', waitingUntilMs: null, startedAtMs: Date.now() });
    if (isStored) await note(AT_EACH_CHANGE);
    // The scenario may have been deleted. The run learns this from the database when its state is saved.
    if (isSkipped(run, place)) return;
  }
  if (plan.until === null) await sendOn(run, { index, plans: stretchFrom(run, place) });
  else noteOutcome(run, index, await sendRepeatedly(walk, place, beganAtMs ?? Date.now()));
}

/**
 * Returns true if the run must be stored before the stretch is sent. Returns false for the first stretch of a scheduled
 * run if all of its requests may be repeated. Without a record, such a run can simply start again after a crash.
 */
function isStoredBefore(run: Run, place: StepPosition): boolean {
  const { input, steps } = run;
  const isExpected = input.trigger !== 'schedule' && input.trigger !== 'save';
  const isFirst = steps.every(({ status }) => status === 'pending');
  if (input.storedLate !== true || isExpected || !isFirst) return true;
  return stretchFrom(run, place).some(({ method }) => !isIdempotent(method));
}

/**
 * Returns when the repeated step began, if the run continued as new during this step. Returns null for any other step.
 */
function takeRepeated(run: Run): number | null {
  const { repeated } = run;
  run.repeated = null;
  return repeated?.beganAtMs ?? null;
}

/** Returns the step, and the following steps that can be sent without a pause. */
function stretchFrom(run: Run, { index, plan: first }: StepPosition): Stretch['plans'] {
  const { steps, inStretches } = run.input;
  if (inStretches !== true || !mayShareActivity(run)) return [first];
  const later = steps.slice(index + 1);
  const end = later.findIndex((plan) => !isAtOnceAfter(first, plan));
  return [first, ...later.slice(0, end === -1 ? later.length : end)];
}

function isAtOnceAfter(first: StepPlan, { always, waitMs, until, budgetMs }: StepPlan): boolean {
  const isMissedAsSoon = noticedAfterMs(budgetMs) === noticedAfterMs(first.budgetMs);
  return always === first.always && waitMs === 0 && until === null && isMissedAsSoon;
}

/** Sends the steps and notes their outcomes. */
async function sendOn(run: Run, { index, plans }: Stretch): Promise<void> {
  let nextIndex = index;
  let startedAtMs = run.steps[index]?.startedAtMs ?? Date.now();
  const take: TakeOutcome = (outcome, finishedAtMs) => {
    const plan = plans[nextIndex - index];
    if (plan === undefined) return;
    noteStep(run, nextIndex, { startedAtMs });
    noteOutcome(run, nextIndex, withinLimit(run, plan, outcome), finishedAtMs);
    startedAtMs = finishedAtMs;
    nextIndex += 1;
  };
  const sending = (): Promise<void> => sendStretch(run, { index, plans }, take);
  try {
    await (plans[0].always ? CancellationScope.nonCancellable(sending) : sending());
  } catch (error) {
    if (nextIndex < index + plans.length)
      noteStep(run, nextIndex, { status: 'running', startedAtMs });
    throw error;
  }
}

/**
 * Repeats the step until its outcome is not a failure of the target. Stops earlier if no further attempt is useful or
 * allowed. Returns the last outcome.
 */
async function sendRepeatedly(
  walk: Walk,
  place: StepPosition,
  beganAtMs: number,
): Promise<StepOutcome> {
  const { run } = walk;
  const { index, plan } = place;
  const { until } = plan;
  for (;;) {
    const outcome = await send(run, place);
    const isDone = outcome.status !== 'down' || FINAL_FAILURES.has(outcome.failure?.code);
    if (until === null || isDone || isHurried(run)) return outcome;
    const elapsedMs = Date.now() - beganAtMs;
    const nextMs = (Math.floor(elapsedMs / until.everyMs) + 1) * until.everyMs;
    if (nextMs > until.forMs) return buildOutlasted(outcome, until.forMs);
    noteTry(run, index, outcome);
    await pause(walk, place, { untilMs: beganAtMs + nextMs, isRepeated: true });
    noteStep(run, index, { status: 'running', waitingUntilMs: null });
    if (run.leftMs <= 0) return buildTimeout(run, outcome);
    if (isHistoryLarge()) await walk.startOver(buildRestInput(run, index, beganAtMs));
  }
}

/** Sends one attempt of a repeated step. A clean-up step is not interrupted. */
async function send(run: Run, { index, plan }: StepPosition): Promise<StepOutcome> {
  const outcomes: StepOutcome[] = [];
  const take: TakeOutcome = (outcome) => outcomes.push(withinLimit(run, plan, outcome));
  const sending = (): Promise<void> => sendStretch(run, { index, plans: [plan] }, take);
  await (plan.always ? CancellationScope.nonCancellable(sending) : sending());
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error('a step ended without an outcome');
  return outcome;
}

/**
 * Subtracts the time of the requests from the run's time limit. If this limit cut off the last request, returns a
 * timeout of the run instead of the outcome.
 */
function withinLimit(run: Run, { always, budgetMs }: StepPlan, outcome: StepOutcome): StepOutcome {
  const limitMs = run.leftMs;
  run.leftMs -= outcome.attempts.reduce((sum, { responseTimeMs }) => sum + responseTimeMs, 0);
  const isCutOff = outcome.failure?.code === 'timeout' && run.leftMs < LIMIT_GRAIN_MS;
  return !always && limitMs < budgetMs && isCutOff ? buildTimeout(run, outcome) : outcome;
}

/** Turns the last outcome of a step into a timeout of the run. */
function buildTimeout(run: Run, outcome: StepOutcome): StepOutcome {
  run.stop = 'timed_out';
  const message = `The run's time limit of ${run.input.timeoutSeconds} s passed during this step.`;
  return { ...outcome, status: 'down', failure: { code: 'timeout', message, phase: null } };
}

/**
 * Waits durably until the instant. If waits count towards the time limit, the wait ends with the limit at the latest.
 */
async function pause(
  walk: Walk,
  { index, plan }: StepPosition,
  { untilMs, isRepeated }: { readonly untilMs: number; readonly isRepeated: boolean },
): Promise<void> {
  const { run, note, countsWaiting } = walk;
  noteStep(run, index, { status: 'waiting', waitingUntilMs: untilMs });
  await note(isRepeated ? NOTED_EVERY_MS : AT_EACH_CHANGE);
  const place = `${index + 1}/${run.input.steps.length} ${cutText(plan.name, 60)}`;
  const what = isRepeated ? 'is tried again' : 'is due';
  const wantedMs = Math.max(1, untilMs - Date.now());
  const waitMs = countsWaiting ? Math.max(1, Math.min(wantedMs, run.leftMs)) : wantedMs;
  await sleep(waitMs, { summary: `${place} ${what} at ${formatInstant(untilMs)}` });
  if (countsWaiting) run.leftMs -= waitMs;
}

function buildOutlasted(outcome: StepOutcome, forMs: number): StepOutcome {
  const { failure } = outcome;
  if (failure === null) return outcome;
  const message = `${failure.message} It did not pass within ${forMs / 1_000} s.`;
  return { ...outcome, failure: { ...failure, message } };
}

/**
 * Ends the step that was in progress when the run was interrupted. A clean-up step stays pending, because the clean-up
 * sends it.
 */
function noteInterruption(run: Run): void {
  const nowMs = Date.now();
  run.stop ??= 'cancelled';
  for (const { index, status, startedAtMs } of run.steps) {
    const isWaiting = status === 'waiting';
    if (isWaiting && run.input.steps[index]?.always === true)
      noteStep(run, index, { status: 'pending', waitingUntilMs: null });
    else if (isWaiting && startedAtMs === null) noteSkipped(run, index, run.stop);
    else if (isWaiting || status === 'running')
      noteOutcome(run, index, createUnknownOutcome('cancelled', startedAtMs ?? nowMs, nowMs));
  }
}
