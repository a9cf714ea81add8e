/**
 * A scenario run as it stands, and the record that the database gets of it. Pure but for the one
 * object that the run workflow changes; it sends nothing.
 */
import type { GeneratedValues } from '../contracts/activities';
import type { JsonValue } from '../contracts/definition';
import type { StepOutcome } from '../contracts/outcome';
import type {
  RunFailure,
  RunRecord,
  RunStatus,
  RunStepRecord,
  RunVariables,
  StepStatus,
} from '../contracts/records';
import type { ScenarioRunInput } from '../contracts/workflows';
import type { Settling } from './settle';

/** Why no further ordinary step is sent. */
export type Stop = 'failure' | 'cancelled' | 'timed_out' | 'removed';

/** The one mutable object of a run. */
export interface Run extends Settling {
  readonly input: ScenarioRunInput;
  readonly generated: GeneratedValues;
  readonly startedAtMs: number;
  readonly vars: Map<string, JsonValue>;
  readonly steps: RunStepRecord[];
  stop: Stop | null;
  stepStartedAtMs: number;
  progress: number;
  finishedAtMs: number | null;
}

const SKIPPED_BECAUSE: Record<Stop, string> = {
  failure: 'an earlier step did not pass',
  cancelled: 'the run was cancelled',
  timed_out: "the run's time limit passed",
  removed: 'the scenario was deleted',
};

export function createRun(input: ScenarioRunInput, startedAtMs: number, uuid: string): Run {
  const { runId } = input;
  return {
    input,
    startedAtMs,
    generated: { uuid, now: new Date(startedAtMs).toISOString(), runId },
    vars: new Map(input.variables.map(({ name, value }) => [name, value])),
    steps: input.steps.map(({ name, method }, index) => ({
      index,
      name,
      method,
      status: 'pending',
      outcome: null,
      skippedReason: null,
    })),
    stop: null,
    stepStartedAtMs: startedAtMs,
    progress: 0,
    finishedAtMs: null,
    woken: false,
    removed: false,
    unsettled: 0,
  };
}

/** Replaces what is known of one step. */
export function noteStep(run: Run, index: number, change: Partial<RunStepRecord>): void {
  const step = run.steps[index];
  if (step !== undefined) run.steps[index] = { ...step, ...change };
}

/** Takes over an outcome: its status, its extracted values, and whether the run stops here. */
export function noteOutcome(run: Run, index: number, outcome: StepOutcome): void {
  noteStep(run, index, { status: stepStatusOf(outcome), outcome });
  for (const { name, value } of outcome.extracted) run.vars.set(name, value);
  const isPassed = outcome.status === 'up' || outcome.status === 'degraded';
  if (!isPassed && run.input.onFailure === 'stop') run.stop ??= 'failure';
}

export function noteSkipped(run: Run, index: number, stop: Stop): void {
  noteStep(run, index, { status: 'skipped', skippedReason: SKIPPED_BECAUSE[stop] });
}

export function varsOf(run: Run): RunVariables {
  return [...run.vars].map(([name, value]) => ({ name, value }));
}

/** The record of the run as it is now, with the next number of progress. */
export function nextRecord(run: Run): RunRecord {
  const { input } = run;
  run.progress += 1;
  return {
    accountId: input.accountId,
    scenarioId: input.scenarioId,
    runId: input.runId,
    rev: input.rev,
    region: input.region,
    trigger: input.trigger,
    label: input.label,
    status: runStatusOf(run),
    progress: run.progress,
    slotMs: input.slotMs,
    queuedAtMs: input.queuedAtMs,
    startedAtMs: run.startedAtMs,
    finishedAtMs: run.finishedAtMs,
    steps: [...run.steps],
    failure: runFailureOf(run),
    countedInUptime: input.countInUptime,
  };
}

/** The first step that did not pass decides; a cancelled or timed-out run is called that. */
export function runStatusOf(run: Run): RunStatus {
  if (run.finishedAtMs === null) return 'running';
  if (run.stop === 'timed_out') return 'timed_out';
  if (run.stop === 'cancelled' || run.stop === 'removed') return 'cancelled';
  const broken = firstBroken(run);
  if (broken !== undefined) return broken.status === 'failed' ? 'failed' : 'error';
  return run.steps.some(({ outcome }) => outcome?.status === 'degraded') ? 'degraded' : 'passed';
}

function runFailureOf(run: Run): RunFailure | null {
  const { stop, input } = run;
  const broken = firstBroken(run);
  const place = { stepIndex: broken?.index ?? null, stepName: broken?.name ?? null };
  if (stop === 'timed_out') {
    const message = `The run took longer than its time limit of ${input.timeoutSeconds} s.`;
    return { code: 'timeout', message, phase: null, ...place };
  }
  if (stop === 'cancelled' || stop === 'removed') {
    const message = stop === 'removed' ? 'The scenario was deleted.' : 'The run was cancelled.';
    return { code: 'cancelled', message, phase: null, ...place };
  }
  const failure = broken?.outcome?.failure ?? null;
  return failure === null ? null : { ...failure, ...place };
}

function firstBroken(run: Run): RunStepRecord | undefined {
  return run.steps.find(({ status }) => status === 'failed' || status === 'error');
}

function stepStatusOf({ status }: StepOutcome): StepStatus {
  if (status === 'down') return 'failed';
  return status === 'unknown' ? 'error' : 'passed';
}
