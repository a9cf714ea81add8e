/**
 * One run of a scenario in one region: its steps one by one, extracted values handed on, the record
 * saved after each. Whatever worker dies, the run goes on at the step that had not finished.
 */
import {
  CancellationScope,
  condition,
  isCancellation,
  setCurrentDetails,
  sleep,
  uuid4,
} from '@temporalio/workflow';
import type { ScenarioRunAnswer, ScenarioRunInput } from '../contracts/workflows';
import { migrate } from './migrate';
import {
  createRun,
  nextRecord,
  noteOutcome,
  noteSkipped,
  noteStep,
  type Run,
  runStatusOf,
} from './run-record';
import { sendStep } from './send-step';
import { settle, settleBeforeGoingOn } from './settle';
import { formatTime, publish, stateKey } from './show';
import { timedOutOutcome, unknownOutcome } from './step-loss';

/**
 * Ends when every step has passed, failed or been skipped, and the record is stored. Cancelling it
 * or its time limit skips what is left, but for steps marked `always`.
 */
export async function scenarioRunWorkflow(given: ScenarioRunInput): Promise<ScenarioRunAnswer> {
  const run = createRun(migrate(given), Date.now(), uuid4());
  try {
    await withTimeLimit(run, () => sendRemaining(run));
  } catch (error) {
    if (!isCancellation(error)) throw error;
    noteInterruption(run);
  }
  return CancellationScope.nonCancellable(() => finish(run));
}

/** Cancels the work when the run's limit passes; throws a cancellation then. */
async function withTimeLimit(run: Run, work: () => Promise<void>): Promise<void> {
  const limitMs = run.input.timeoutSeconds * 1_000;
  const steps = new CancellationScope();
  const limit = new CancellationScope();
  const summary = `run may take until ${formatTime(run.startedAtMs + limitMs)}`;
  void limit
    .run(() => sleep(limitMs, { summary }))
    .then(
      () => {
        run.stop ??= 'timed_out';
        steps.cancel();
      },
      () => undefined,
    );
  try {
    await steps.run(work);
  } finally {
    limit.cancel();
  }
}

async function sendRemaining(run: Run): Promise<void> {
  for (const [index, plan] of run.input.steps.entries()) {
    if (run.steps[index]?.status !== 'pending') continue;
    if (run.removed) run.stop ??= 'removed';
    if (run.stop !== null && !plan.always) {
      noteSkipped(run, index, run.stop);
      continue;
    }
    noteStep(run, index, { status: 'running' });
    run.stepStartedAtMs = Date.now();
    await save(run);
    const send = (): ReturnType<typeof sendStep> => sendStep(run, index, plan);
    noteOutcome(run, index, await (plan.always ? CancellationScope.nonCancellable(send) : send()));
  }
}

/** The step under way when the run was cut short gets its outcome here. */
function noteInterruption(run: Run): void {
  const nowMs = Date.now();
  run.stop ??= 'cancelled';
  const index = run.steps.findIndex(({ status }) => status === 'running');
  if (index < 0) return;
  const outcome =
    run.stop === 'timed_out'
      ? timedOutOutcome(run.input.timeoutSeconds, run.stepStartedAtMs, nowMs)
      : unknownOutcome('cancelled', run.stepStartedAtMs, nowMs);
  noteOutcome(run, index, outcome);
}

async function finish(run: Run): Promise<ScenarioRunAnswer> {
  await sendRemaining(run);
  run.finishedAtMs = Date.now();
  show(run);
  await condition(() => run.unsettled === 0);
  const record = nextRecord(run);
  await settleBeforeGoingOn((hub) => hub.saveRun(record));
  const { runId } = run.input;
  return { runId, status: runStatusOf(run), durationMs: run.finishedAtMs - run.startedAtMs };
}

/** While an earlier save waits for the database, newer ones are left out; the last one is not. */
async function save(run: Run): Promise<void> {
  show(run);
  if (run.unsettled > 0) return;
  const record = nextRecord(run);
  await CancellationScope.nonCancellable(() => settle(run, (hub) => hub.saveRun(record)));
}

function show(run: Run): void {
  const status = runStatusOf(run);
  setCurrentDetails(
    [
      `**${status}** · ${run.input.trigger} · ${run.input.region}`,
      '',
      '| step | status | ms |',
      '|---|---|---|',
      ...run.steps.map(
        ({ index, status: step, outcome }) =>
          `| ${index + 1} | ${step} | ${outcome?.responseTimeMs ?? ''} |`,
      ),
    ].join('\n'),
  );
  publish([{ key: stateKey, value: status }]);
}
