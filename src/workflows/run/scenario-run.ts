/**
 * One run of a scenario in one region: carries out its steps, passes extracted values on, and saves the record. After a
 * crash of its worker, it continues at the unfinished step.
 */
import { CancellationScope, condition, uuid4 } from '@temporalio/workflow';
import type { ScenarioRunInput, ScenarioRunResult } from '../../contracts/scenario-run';
import { exchangeFacts } from '../../domain/alerting/exchange-facts';
import { startOver } from '../loop/continue';
import { migrate } from '../loop/migrate';
import { stepCertificates } from '../loop/seen-certificates';
import { createRun, isHurried, nextRecord, type Run } from './run-record';
import { saveLastRun, saveRun } from './save-run';
import { showRun } from './show-run';
import { walkSteps } from './walk-steps';

/**
 * Ends when every step has passed, failed or been skipped, and the record is stored. Cancellation and the time limit
 * skip the remaining steps, except those marked `always`.
 */
export async function scenarioRunWorkflow(given: ScenarioRunInput): Promise<ScenarioRunResult> {
  const run = createRun(migrate(given), Date.now(), uuid4());
  await walkSteps(run, {
    note: createNote(run),
    countsWaiting: false,
    startOver: (rest) => startOver<typeof scenarioRunWorkflow>(rest),
  });
  return CancellationScope.nonCancellable(() => finish(run));
}

async function finish(run: Run): Promise<ScenarioRunResult> {
  showRun(run);
  await condition(() => !run.isSaving);
  const record = nextRecord(run);
  // The end is certain if each step has ended or was skipped because of a failure.
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
    certificates: stepCertificates(run.steps),
    ...(exchange !== null && { exchange }),
  };
}

/** The request and response of the failed step. */
function failedExchange({ steps }: Run, failure: ScenarioRunResult['failure']) {
  const outcome = steps[failure?.stepIndex ?? -1]?.outcome ?? null;
  return outcome === null ? null : exchangeFacts(outcome);
}

/**
 * Saves the current state of the run. While an earlier save waits for the database, only the newest state is saved
 * next.
 */
function createNote(run: Run): (atMostEveryMs: number) => Promise<void> {
  let savedAtMs = Number.NEGATIVE_INFINITY;
  return async (atMostEveryMs) => {
    const nowMs = Date.now();
    if (nowMs - savedAtMs >= atMostEveryMs) showRun(run);
    if (run.isSaving || nowMs - savedAtMs < atMostEveryMs) return;
    savedAtMs = nowMs;
    const record = nextRecord(run);
    await CancellationScope.nonCancellable(() => saveRun(run, record));
  };
}
