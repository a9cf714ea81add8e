/**
 * Takes a run through its steps: waits, sends, repeats, skips, cleans up. What is kept of it, and
 * where, is the caller's business.
 */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { FailureCode, StepOutcome } from '../contracts/outcome';
import type { StepPlan } from '../contracts/workflows';
import { createRunClock, type RunClock } from './run-clock';
import { isHurried, noteOutcome, noteSkipped, noteStep, noteTry, type Run } from './run-record';
import { sendStep } from './send-step';
import { formatInstant } from './show';
import { timedOutOutcome, unknownOutcome } from './step-loss';

export interface WalkOptions {
  /** Keeps the run as it is now; less often than this when the state is of little interest. */
  readonly note: (atMostEveryMs: number) => Promise<void>;
  /** False: waiting counts towards the time limit, too. */
  readonly isClockPaused: boolean;
}

interface Walk extends WalkOptions {
  readonly run: Run;
  readonly clock: RunClock;
}

interface Place {
  readonly index: number;
  readonly plan: StepPlan;
}

const AT_EACH_CHANGE = 0;
/** Between the tries of a step that is repeated. */
const NOTED_EVERY_MS = 5_000;

/** Another try would end in the same way. */
const FINAL_FAILURES: ReadonlySet<FailureCode | undefined> = new Set<FailureCode>([
  'template_error',
  'blocked_target',
]);

/**
 * Resolves when every step has passed, failed or been skipped. Cancelling the workflow, or the
 * run's time limit, skips what is left, but for steps marked `always`.
 */
export async function walkSteps(run: Run, options: WalkOptions): Promise<void> {
  const steps = new CancellationScope();
  const clock = createRunClock(run.input.timeoutSeconds * 1_000, () => {
    run.stop ??= 'timed_out';
    steps.cancel();
  });
  const walk = { ...options, run, clock };
  clock.go();
  try {
    await steps.run(() => takeRemaining(walk));
  } catch (error) {
    if (!isCancellation(error)) throw error;
    noteInterruption(run);
  } finally {
    clock.stop();
  }
  await CancellationScope.nonCancellable(() => takeRemaining(walk));
  run.finishedAtMs = Date.now();
}

async function takeRemaining(walk: Walk): Promise<void> {
  const { run } = walk;
  for (const [index, plan] of run.input.steps.entries()) {
    if (run.steps[index]?.status !== 'pending') continue;
    if (!isSkipped(run, { index, plan })) await takeStep(walk, { index, plan });
  }
}

/** Notes a step as skipped when it is not to be sent any more. */
function isSkipped(run: Run, { index, plan }: Place): boolean {
  if (run.removed && !isHurried(run)) run.stop = 'removed';
  if (run.stop === null || plan.always) return false;
  noteSkipped(run, index, run.stop);
  return true;
}

async function takeStep(walk: Walk, place: Place): Promise<void> {
  const { run, note } = walk;
  const { index, plan } = place;
  if (plan.waitMs > 0 && !isHurried(run)) {
    await pause(walk, place, { untilMs: Date.now() + plan.waitMs, isRepeated: false });
    if (isSkipped(run, place)) return;
  }
  noteStep(run, index, { status: 'running', waitingUntilMs: null, startedAtMs: Date.now() });
  await note(AT_EACH_CHANGE);
  // Only the database knows that the scenario is gone.
  if (isSkipped(run, place)) return;
  noteOutcome(run, index, await sendRepeatedly(walk, place));
}

/** The first outcome that is not a failure of the target, or the last one in the given time. */
async function sendRepeatedly(walk: Walk, place: Place): Promise<StepOutcome> {
  const { run } = walk;
  const { index, plan } = place;
  const { until } = plan;
  const beganAtMs = Date.now();
  for (;;) {
    const outcome = await send(walk, place);
    const isDone = outcome.status !== 'down' || FINAL_FAILURES.has(outcome.failure?.code);
    if (until === null || isDone || isHurried(run)) return outcome;
    const elapsedMs = Date.now() - beganAtMs;
    const nextMs = (Math.floor(elapsedMs / until.everyMs) + 1) * until.everyMs;
    if (nextMs > until.forMs) return outlasted(outcome, until.forMs);
    noteTry(run, index, outcome);
    await pause(walk, place, { untilMs: beganAtMs + nextMs, isRepeated: true });
    noteStep(run, index, { status: 'running', waitingUntilMs: null });
  }
}

/** A step that cleans up is carried through once it is being sent. */
function send({ run, clock }: Walk, place: Place): Promise<StepOutcome> {
  const sending = (): Promise<StepOutcome> => sendStep(run, { ...place, leftMs: clock.leftMs() });
  return place.plan.always ? CancellationScope.nonCancellable(sending) : sending();
}

/** Waits durably until the instant; meanwhile the run is waiting, and its clock stands still. */
async function pause(
  walk: Walk,
  { index, plan }: Place,
  { untilMs, isRepeated }: { readonly untilMs: number; readonly isRepeated: boolean },
): Promise<void> {
  const { run, clock, note, isClockPaused } = walk;
  noteStep(run, index, { status: 'waiting', waitingUntilMs: untilMs });
  await note(isRepeated ? NOTED_EVERY_MS : AT_EACH_CHANGE);
  const place = `${index + 1}/${run.input.steps.length} ${plan.name.slice(0, 60)}`;
  const what = isRepeated ? 'is tried again' : 'is due';
  if (isClockPaused) clock.stop();
  await sleep(Math.max(1, untilMs - Date.now()), {
    summary: `${place} ${what} at ${formatInstant(untilMs)}`,
  });
  clock.go();
}

function outlasted(outcome: StepOutcome, forMs: number): StepOutcome {
  const { failure } = outcome;
  if (failure === null) return outcome;
  const message = `${failure.message} It did not pass within ${forMs / 1_000} s.`;
  return { ...outcome, failure: { ...failure, message } };
}

/** The step under way when the run was cut short ends here, or is left to the clean-up. */
function noteInterruption(run: Run): void {
  const nowMs = Date.now();
  run.stop ??= 'cancelled';
  for (const { index, status, startedAtMs } of run.steps) {
    const isWaiting = status === 'waiting';
    if (isWaiting && run.input.steps[index]?.always === true)
      noteStep(run, index, { status: 'pending', waitingUntilMs: null });
    else if (isWaiting && startedAtMs === null) noteSkipped(run, index, run.stop);
    else if (isWaiting || status === 'running')
      noteOutcome(run, index, cutShort(run, startedAtMs ?? nowMs, nowMs));
  }
}

function cutShort({ stop, input }: Run, startedAtMs: number, nowMs: number): StepOutcome {
  return stop === 'timed_out'
    ? timedOutOutcome(input.timeoutSeconds, startedAtMs, nowMs)
    : unknownOutcome('cancelled', startedAtMs, nowMs);
}
