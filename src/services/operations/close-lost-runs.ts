/** Closes runs whose workflow was lost, terminated, or never started. Runs with a workflow stay unchanged. */
import type { RunRecord, RunStepRecord } from '../../contracts/records';
import type { ReconcileSource } from '../../models/operations/reconcile-source';
import { interleave } from '../../platform/paced';
import type { Dependencies } from '../ports/dependencies';
import type { CheckRecorder } from '../results/record-check';
import type { ReconcileGateway } from './reconcile-gateway';

/** How long a run may be queued. Its workflow normally begins the run much sooner. */
const QUEUED_MAX_MS = 5 * 60_000;
const RUNS_PER_PAGE = 200;

export interface LostRunNeeds extends Pick<Dependencies, 'clock'> {
  readonly source: ReconcileSource;
  readonly temporal: ReconcileGateway;
  readonly recorder: Pick<CheckRecorder, 'saveRun'>;
}

/** Returns true if the scenario's workflow will begin the run, or is carrying it out. */
type OwnedRuns = (run: RunRecord) => Promise<boolean>;

/** Closes lost runs with the status `error` and the code `worker_lost`. Returns the number of closed runs. */
export async function closeLostRuns(
  { source, temporal, recorder, clock }: LostRunNeeds,
  signal: AbortSignal,
): Promise<number> {
  const nowMs = clock.now();
  const isOwned = createOwnedRuns(temporal);
  const openIds = new Set((await temporal.listOpen('run')).map(({ id }) => id));
  const runs = await listUnfinished(source, nowMs, signal);
  const suspects = runs.filter(({ runId }) => !openIds.has(runId));
  let closed = 0;
  for (const run of interleave(suspects, ({ accountId }) => accountId)) {
    signal.throwIfAborted();
    // This check must come before `isRunOpen`. When the scenario's workflow no longer has the run, the run has its own
    // workflow, has ended, or will never begin.
    if (await isOwned(run)) continue;
    if (await temporal.isRunOpen(run.runId)) continue;
    // If a workflow of the run has just ended, it has already stored the end of the run. This save then changes
    // nothing.
    await recorder.saveRun(lostRun(run, nowMs));
    closed += 1;
  }
  return closed;
}

async function listUnfinished(
  source: Pick<ReconcileSource, 'listUnfinishedRuns'>,
  nowMs: number,
  signal: AbortSignal,
): Promise<readonly RunRecord[]> {
  const found: RunRecord[] = [];
  for (;;) {
    signal.throwIfAborted();
    const afterId = found.at(-1)?.runId ?? '';
    const query = { queuedBeforeMs: nowMs - QUEUED_MAX_MS, afterId, limit: RUNS_PER_PAGE };
    const page = await source.listUnfinishedRuns(query);
    found.push(...page);
    if (page.length < RUNS_PER_PAGE) return found;
  }
}

/**
 * Creates a function that returns true if the scenario's workflow has a run, queued or in progress. Each scenario is
 * queried once per pass. If the query fails, the function returns true for all runs of the scenario.
 */
function createOwnedRuns(temporal: ReconcileGateway): OwnedRuns {
  const asked = new Map<string, Promise<ReadonlySet<string> | null>>();
  return async ({ scenarioId, runId }) => {
    const held =
      asked.get(scenarioId) ??
      temporal.listPendingRuns(scenarioId).then(
        (ids) => new Set(ids),
        () => null,
      );
    asked.set(scenarioId, held);
    return (await held)?.has(runId) ?? true;
  };
}

function lostRun(run: RunRecord, nowMs: number): RunRecord {
  const index = run.steps.findIndex(({ status }) => status === 'running');
  const broken = run.steps[index];
  const message =
    run.status === 'queued'
      ? 'The run was never started: the request for it was lost.'
      : 'The run was lost: its workflow ended before it could report.';
  return {
    ...run,
    status: 'error',
    sequence: run.sequence + 1,
    finishedAtMs: nowMs,
    steps: run.steps.map((step) => lostStep(step, nowMs)),
    failure: {
      code: 'worker_lost',
      message,
      phase: null,
      stepIndex: broken?.index ?? null,
      stepName: broken?.name ?? null,
    },
  };
}

function lostStep(step: RunStepRecord, nowMs: number): RunStepRecord {
  if (step.status === 'pending')
    return { ...step, status: 'skipped', skippedReason: 'the run was lost' };
  const isUnderWay = step.status === 'running' || step.status === 'waiting';
  if (!isUnderWay) return step;
  return { ...step, status: 'error', waitingUntilMs: null, finishedAtMs: nowMs };
}
