/** Carries out one run, in the workflow of its scenario or in a workflow of its own. */
import { CancellationScope, condition } from '@temporalio/workflow';
import type { ScenarioRunResult } from '../../contracts/scenario-run';
import { toExchangeFacts } from '../../domain/alerting/exchange-facts';
import { listStepCertificates } from '../loop/seen-certificates';
import { createNextRecord, isHurried, type Run } from './run-record';
import { saveLastRun, saveRun } from './save-run';
import { type WalkOptions, walkSteps } from './walk-steps';

interface ExecuteOptions extends Pick<WalkOptions, 'startOver'> {
  /** Shows the state of the run in the Temporal UI. */
  readonly show: () => void;
}

/**
 * Resolves when every step has passed, failed or been skipped, and the record is stored. After a cancellation or at the
 * time limit, the remaining steps are skipped, except those marked `always`.
 */
export async function executeRun(
  run: Run,
  { show, startOver }: ExecuteOptions,
): Promise<ScenarioRunResult> {
  await walkSteps(run, { note: createNote(run, show), countsWaiting: false, startOver });
  show();
  return CancellationScope.nonCancellable(() => finish(run));
}

async function finish(run: Run): Promise<ScenarioRunResult> {
  await condition(() => !run.isSaving);
  const record = createNextRecord(run);
  // The end of the run is certain if each step has ended, or was skipped because of a failure.
  await saveLastRun(record, run.input.inStretches === true && !isHurried(run));
  const { runId } = run.input;
  const durationMs = (run.finishedAtMs ?? run.startedAtMs) - run.startedAtMs;
  const { status, failure } = record;
  const exchange = failedExchange(run, failure);
  return {
    runId,
    status,
    durationMs,
    failure,
    certificates: listStepCertificates(run.steps),
    ...(exchange !== null && { exchange }),
  };
}

/** Returns the request and response of the failed step. */
function failedExchange({ steps }: Run, failure: ScenarioRunResult['failure']) {
  const outcome = steps[failure?.stepIndex ?? -1]?.outcome ?? null;
  return outcome === null ? null : toExchangeFacts(outcome);
}

/**
 * Builds a function that saves the current state of the run. While a save waits for the database, newer saves are
 * skipped. The last state of the run is saved by `saveLastRun`.
 */
function createNote(run: Run, show: () => void): (atMostEveryMs: number) => Promise<void> {
  let savedAtMs = Number.NEGATIVE_INFINITY;
  return async (atMostEveryMs) => {
    const nowMs = Date.now();
    if (nowMs - savedAtMs >= atMostEveryMs) show();
    if (run.isSaving || nowMs - savedAtMs < atMostEveryMs) return;
    savedAtMs = nowMs;
    const record = createNextRecord(run);
    await CancellationScope.nonCancellable(() => saveRun(run, record));
  };
}
