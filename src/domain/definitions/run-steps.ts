/** The steps of a run as records, before they are sent and when they never will be. Pure. */
import type { RunStepRecord } from '../../contracts/records';

/** The records of a run that has not begun. */
export function pendingSteps(
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

/** The records of an abandoned run: a step that was under way counts as our error. */
export function abandonedSteps(
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
