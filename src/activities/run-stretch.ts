/**
 * Runs consecutive steps of a scenario run in one activity (a stretch). Before each further step, stores the progress
 * in Temporal. The workflow therefore knows which steps may have been sent. A failed step ends the stretch.
 */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import {
  PROBE_STOPPED,
  type ProbeActivities,
  type StepReference,
  type StretchActivities,
  type StretchProgress,
  type StretchStep,
} from '../contracts/activities';
import type { StepOutcome } from '../contracts/outcome';
import {
  advanceReference,
  isStretchOver,
  STRETCH_MAX_MS,
  selectVariables,
} from '../domain/states/stretch';
import { isRefused } from './probe-activities';

/**
 * Stores the activity's progress in Temporal. Returns false if the progress could not be stored, or if the activity has
 * been cancelled. In both cases, no further step may be sent.
 */
export type SaveProgress = (progress: StretchProgress) => Promise<boolean>;

interface StretchNeeds {
  readonly runHttpStep: ProbeActivities['runHttpStep'];
  readonly saveProgress: SaveProgress;
}

/**
 * Creates the activity for both kinds of calls: one step (older workflows, and checks of monitors), or a stretch of
 * consecutive steps (newer runs).
 */
export function createStepActivity(
  runStep: ProbeActivities['runHttpStep'],
  needs: StretchNeeds,
): (
  first: StepReference,
  steps?: readonly StretchStep[],
) => Promise<StepOutcome | readonly StepOutcome[]> {
  const runStretch = createStretchActivity(needs);
  return (first, steps) => (steps === undefined ? runStep(first) : runStretch(first, steps));
}

/**
 * Creates the activity for a stretch. It throws if the first step cannot be run. After a cancellation or a shutdown of
 * the worker, the error contains the progress.
 */
function createStretchActivity({
  runHttpStep,
  saveProgress,
}: StretchNeeds): StretchActivities['runHttpStep'] {
  return async (first, steps) => {
    const { info, cancellationSignal: stop } = Context.current();
    const endsAtMs = performance.now() + STRETCH_MAX_MS;
    const mayGoOn = async (progress: StretchProgress): Promise<boolean> =>
      performance.now() < endsAtMs && (await saveProgress(progress)) && !stop.aborted;
    // There are details of an earlier attempt only if an operator has reset the activity. The step after the stored
    // progress may have been sent, so nothing is sent again.
    if (info.heartbeatDetails !== undefined) throw probeStopped(info.heartbeatDetails);
    const outcomes: StepOutcome[] = [];
    let reference = first;
    for (const step of steps) {
      const isFurther = outcomes.length > 0;
      const progress = { outcomes: [...outcomes], underWay: `step ${step.stepIndex + 1}` };
      if (isFurther && !(await mayGoOn(progress))) break;
      const sending = runHttpStep(buildReference(step, reference));
      const ended = isFurther ? sending.catch((error) => endBefore(error, progress)) : sending;
      const outcome = await untilStopped(ended, progress);
      if (outcome === null) break;
      outcomes.push(outcome);
      reference = advanceReference(reference, outcome);
      if (isStretchOver(outcomes, reference)) break;
    }
    return outcomes;
  };
}

function buildReference(
  { stepIndex, variables }: StretchStep,
  { vars = [], ...reference }: StepReference,
): StepReference {
  return { ...reference, stepIndex, vars: selectVariables(vars, variables) };
}

/**
 * Returns null if the step was refused before it was sent. The workflow may then run it in a separate activity. For any
 * other error, throws the progress.
 */
function endBefore(error: unknown, progress: StretchProgress): null {
  if (isRefused(error)) return null;
  throw probeStopped(progress);
}

/**
 * Waits for the step, but rejects at once if the activity is stopped. The request itself cannot be stopped, so its
 * result is then ignored.
 */
function untilStopped(
  ended: Promise<StepOutcome | null>,
  progress: StretchProgress,
): Promise<StepOutcome | null> {
  const context = Context.current();
  const stopped = context.cancelled.catch((error: unknown): never => {
    if (!(error instanceof CancelledFailure)) throw error;
    throw context.cancellationDetails?.cancelRequested === true
      ? new CancelledFailure(error.message, [progress])
      : probeStopped(progress);
  });
  return Promise.race([ended, stopped]);
}

function probeStopped(progress: unknown): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'the probe was stopped before the target responded',
    type: PROBE_STOPPED,
    nonRetryable: true,
    details: [progress],
    category: ApplicationFailureCategory.BENIGN,
  });
}
