/** Keeps the current state of a scenario run, and builds its record for the database. */

import type { GeneratedValues } from '../../contracts/activities';
import { formatExactJson, withoutMarks } from '../../contracts/json';
import type { Extracted, StepOutcome } from '../../contracts/outcome';
import type {
  RunFailure,
  RunRecord,
  RunStatus,
  RunStepRecord,
  RunVariable,
  StepStatus,
} from '../../contracts/records';
import type { RunProgress, RunStop, ScenarioRunInput } from '../../contracts/scenario-run';
import { createPendingSteps } from '../../domain/definitions/run-steps';
import { readEvidence, toStoredOutcome, withoutHeaders } from '../../domain/health/evidence';
import { maskExtracted } from '../../domain/secrets/redact';
import { STRETCH_LENGTH_MAX } from '../../domain/states/stretch';
import { cutText } from '../../domain/text/cut-text';
import type { Saving } from './save-run';

/** The state of a run. It is the only mutable object of the run. */
export interface Run extends Saving {
  readonly input: ScenarioRunInput;
  readonly generated: GeneratedValues;
  readonly startedAtMs: number;
  readonly vars: Map<string, RunVariable>;
  /** The encrypted cookies. null if there are none. */
  cookies: string | null;
  readonly steps: RunStepRecord[];
  stop: RunStop | null;
  progress: number;
  /** The remaining time of the run's time limit. */
  leftMs: number;
  /** Time spent waiting for a region without a worker. */
  awayMs: number;
  /** The step that was being repeated when the run continued as new. null if there is none. */
  repeated: { readonly index: number; readonly beganAtMs: number } | null;
  finishedAtMs: number | null;
  /** Length of the history when the last activity was scheduled. null if none was scheduled. */
  sentAtEvent: number | null;
}

const SKIPPED_BECAUSE: Record<RunStop, string> = {
  failure: 'an earlier step did not pass',
  cancelled: 'the run was cancelled',
  timed_out: "the run's time limit passed",
  removed: 'the scenario was deleted',
};

/** Number of tries that are kept if a step is repeated for a long time. */
const ATTEMPTS_KEPT = 20;
/** Maximum total length of all values of a run. */
const VARS_LENGTH_MAX = 256 * 1024;
/** Maximum total length of the evidence of all steps. The record of a run must fit into one payload of Temporal. */
const EVIDENCE_LENGTH_MAX = 256 * 1024;
/** The same maximum for a test run. A test run shows more of each body, and is not stored. */
const TEST_EVIDENCE_LENGTH_MAX = 1024 * 1024;
/** Maximum length of a value in the record. Longer values are cut there, but later steps get the whole value. */
const SHOWN_LENGTH_MAX = 1_024;

export function createRun(input: ScenarioRunInput, startedAtMs: number, uuid: string): Run {
  const { runId, progress } = input;
  const { stepIndex: index, stepBeganAtMs: beganAtMs } = progress ?? {};
  return {
    input,
    startedAtMs: progress?.startedAtMs ?? startedAtMs,
    generated: progress?.generated ?? { uuid, now: new Date(startedAtMs).toISOString(), runId },
    vars: new Map(
      (progress?.variables ?? input.variables).map((variable) => [variable.name, variable]),
    ),
    cookies: progress?.cookies ?? null,
    steps: [...(progress?.steps ?? createPendingSteps(input.steps))],
    stop: progress?.stop ?? null,
    progress: progress?.saves ?? 0,
    leftMs: progress?.leftMs ?? input.timeoutSeconds * 1_000,
    awayMs: progress?.awayMs ?? 0,
    repeated: index === undefined || beganAtMs === undefined ? null : { index, beganAtMs },
    finishedAtMs: null,
    sentAtEvent: null,
    woken: false,
    removed: false,
    isSaving: false,
  };
}

/** Builds the input for the next execution, if the run continues as new before another attempt of the step. */
export function buildRestInput(
  run: Run,
  stepIndex: number,
  stepBeganAtMs: number,
): ScenarioRunInput {
  const { startedAtMs, generated, vars, cookies, steps, stop, leftMs, awayMs } = run;
  const progress: RunProgress = {
    startedAtMs,
    generated,
    variables: [...vars.values()],
    cookies,
    steps,
    stop,
    saves: run.progress,
    leftMs,
    awayMs,
    stepIndex,
    stepBeganAtMs,
  };
  return { ...run.input, variables: [], progress };
}

/** Returns true if the run must end without delay: each clean-up step is sent only once, and no step waits. */
export function isHurried({ stop }: Run): boolean {
  return stop !== null && stop !== 'failure';
}

/** Replaces the given fields of one step. */
export function noteStep(run: Run, index: number, change: Partial<RunStepRecord>): void {
  const step = run.steps[index];
  if (step !== undefined) run.steps[index] = { ...step, ...change };
}

/** Records an attempt that does not end its step. */
export function noteTry(run: Run, index: number, outcome: StepOutcome): void {
  const step = run.steps[index];
  if (step === undefined) return;
  run.cookies = outcome.cookies?.jar ?? run.cookies;
  const attempts = [...(step.outcome?.attempts ?? []), ...outcome.attempts].slice(-ATTEMPTS_KEPT);
  const startedAt = step.outcome?.startedAt ?? outcome.startedAt;
  noteStep(run, index, {
    tries: step.tries + outcome.attempts.length,
    outcome: { ...forRecord(withRoom(run, index, outcome)), attempts, startedAt },
  });
}

/** Applies the last outcome to the run: status, extracted values, and whether the run stops here. */
export function noteOutcome(
  run: Run,
  index: number,
  found: StepOutcome,
  finishedAtMs = Date.now(),
): void {
  if (found.missingVariable !== undefined) {
    noteUnsent(run, index, `needs ${found.missingVariable}`);
    return;
  }
  const outcome = isTooMuch(run, found) ? withoutRoom(found) : found;
  noteTry(run, index, outcome);
  const status = toStepStatus(outcome);
  noteStep(run, index, { status, waitingUntilMs: null, finishedAtMs });
  for (const value of outcome.extracted) run.vars.set(value.name, value);
  if (status !== 'passed' && run.input.onFailure === 'stop') run.stop ??= 'failure';
}

export function noteSkipped(run: Run, index: number, stop: RunStop): void {
  noteUnsent(run, index, SKIPPED_BECAUSE[stop]);
}

function noteUnsent(run: Run, index: number, skippedReason: string): void {
  const none = { waitingUntilMs: null, startedAtMs: null };
  noteStep(run, index, { ...none, status: 'skipped', skippedReason });
}

/** Returns the current record of the run, with the next sequence number. */
export function createNextRecord(run: Run): RunRecord {
  const { input } = run;
  run.progress += 1;
  return {
    accountId: input.accountId,
    scenarioId: input.scenarioId,
    runId: input.runId,
    revision: input.revision,
    ...(input.environment !== undefined && { environment: input.environment }),
    region: input.region,
    trigger: input.trigger,
    label: input.label,
    source: input.source,
    status: findRunStatus(run),
    sequence: run.progress,
    slotMs: input.slotMs,
    queuedAtMs: input.queuedAtMs,
    startedAtMs: run.startedAtMs,
    finishedAtMs: run.finishedAtMs,
    steps: [...run.steps],
    failure: findRunFailure(run),
    countedInUptime: input.countInUptime,
    ...(input.executionId !== undefined && { executionId: input.executionId }),
  };
}

/** Returns the status of the run. A timeout or a cancellation decides first, and then the first failed step. */
export function findRunStatus(run: Run): RunStatus {
  if (run.finishedAtMs === null)
    return run.steps.some(({ status }) => status === 'waiting') ? 'waiting' : 'running';
  if (run.stop === 'timed_out') return 'timed_out';
  if (run.stop === 'cancelled' || run.stop === 'removed') return 'cancelled';
  const broken = firstBroken(run);
  if (broken !== undefined) return broken.status === 'failed' ? 'failed' : 'error';
  return run.steps.some(({ outcome }) => outcome?.status === 'degraded') ? 'degraded' : 'passed';
}

function findRunFailure(run: Run): RunFailure | null {
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

function toStepStatus({ status }: StepOutcome): StepStatus {
  if (status === 'down') return 'failed';
  return status === 'unknown' ? 'error' : 'passed';
}

/** Returns true if the values of a stretch (a series of steps in one activity) certainly fit into the run. */
export function mayShareActivity({ vars }: Run): boolean {
  const length = JSON.stringify([...vars.values()]).length;
  return length + STRETCH_LENGTH_MAX <= VARS_LENGTH_MAX;
}

function isTooMuch({ vars }: Run, { extracted }: StepOutcome): boolean {
  if (extracted.length === 0) return false;
  const next = new Map([...vars, ...extracted.map((entry) => [entry.name, entry] as const)]);
  return JSON.stringify([...next.values()]).length > VARS_LENGTH_MAX;
}

function withoutRoom(outcome: StepOutcome): StepOutcome {
  const message = 'The values of the run are larger than 256 KiB together.';
  const failure = { code: 'extraction_failed', message, phase: null } as const;
  return { ...outcome, status: 'down', failure, extracted: [] };
}

/** Removes headers, and the evidence of a passing step, if the evidence of the run would become too large. */
function withRoom({ input, steps }: Run, index: number, outcome: StepOutcome): StepOutcome {
  const max = input.trigger === 'test' ? TEST_EVIDENCE_LENGTH_MAX : EVIDENCE_LENGTH_MAX;
  const others = steps.map((step) => (step.index === index ? null : step.outcome));
  const lengths = [...others, outcome].map((one) => (one === null ? 0 : evidenceLength(one)));
  if (lengths.reduce((sum, length) => sum + length, 0) <= max) return outcome;
  return withoutHeaders(input.trigger === 'test' ? outcome : toStoredOutcome(outcome));
}

function evidenceLength(outcome: StepOutcome): number {
  const evidence = readEvidence(outcome);
  return evidence === null ? 0 : JSON.stringify(evidence).length;
}

/** Returns the outcome without secrets, and with long values cut. */
function forRecord(outcome: StepOutcome): StepOutcome {
  const { cookies, ...masked } = maskExtracted(outcome);
  const shown = { ...masked, extracted: masked.extracted.map(cutValue) };
  if (cookies === undefined) return shown;
  const { set, notes } = cookies;
  return { ...shown, cookies: { set, notes } };
}

function cutValue(entry: Extracted): Extracted {
  const text = formatExactJson(entry.value);
  if (text.length <= SHOWN_LENGTH_MAX) return { ...entry, value: withoutMarks(entry.value) };
  return { ...entry, value: cutText(text, SHOWN_LENGTH_MAX + 1) };
}
