/** Records for the steps of a run that are not sent. Pure. */
import type { RunStepRecord } from '../../contracts/records';

/** Returns the step records of a run that has not started. */
export function createPendingSteps(
  steps: readonly Pick<RunStepRecord, 'name' | 'method'>[],
): RunStepRecord[] {
  return steps.map(({ name, method }, index) => ({
    index,
    name,
    method,
    status: 'pending',
    startedAtMs: null,
    finishedAtMs: null,
    waitingUntilMs: null,
    tries: 0,
    outcome: null,
    skippedReason: null,
  }));
}

interface Abandonment {
  readonly reason: string;
  readonly atMs: number;
}

/**
 * Returns the step records of an abandoned run. A step that was running or waiting counts as an error of Keepwatch, and
 * pending steps are skipped.
 */
export function abandonSteps(
  steps: readonly RunStepRecord[],
  abandonment: Abandonment,
): RunStepRecord[] {
  return steps.map((step) => abandoned(step, abandonment));
}

function abandoned(step: RunStepRecord, { reason, atMs }: Abandonment): RunStepRecord {
  switch (step.status) {
    case 'pending':
      return { ...step, status: 'skipped', skippedReason: reason };
    case 'running':
    case 'waiting':
      return { ...step, status: 'error', waitingUntilMs: null, finishedAtMs: atMs };
    case 'passed':
    case 'failed':
    case 'skipped':
    case 'error':
      return step;
  }
}
