/** Reads, exports and cancels runs of a scenario. */
import { isFinished, type ListOrder, type RunRecord } from '../../contracts/records';
import { isId } from '../../domain/definitions/ids';
import { abandonSteps } from '../../domain/definitions/run-steps';
import { withEvidence } from '../../domain/health/evidence';
import type { StepEvidence } from '../../models/results/evidence';
import { AppError } from '../../platform/errors';
import type { RunResponse } from '../../schemas/responses/runs';
import {
  type ListPage,
  type ListRequest,
  type Pages,
  readItems,
  readPages,
} from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { createScenarioPort } from '../resources/resource-port';
import { findResource } from '../resources/save-resource';
import { presentRun } from './present-run';

export interface RunRequest {
  readonly scenarioId: string;
  readonly runId: string;
  /** The time to wait. 0 means no wait. */
  readonly waitSeconds: number;
}

/** Returns the run as soon as it has ended, or its state after the wait. Throws `not_found`. */
export async function getRun(
  needs: Dependencies,
  accountId: string,
  request: RunRequest,
): Promise<RunResponse> {
  await findResource(createScenarioPort(needs), accountId, request.scenarioId);
  const run = await waitForEnd(needs, accountId, request);
  const { runId, scenarioId: resourceId, region } = run;
  const kept = { resourceId, region, resultId: runId };
  const evidence = isFinished(run.status)
    ? await needs.stores.evidence.find(accountId, kept)
    : null;
  return presentRun(needs, joinEvidence(run, evidence));
}

function joinEvidence(run: RunRecord, evidence: StepEvidence | null): RunRecord {
  if (evidence === null) return run;
  const steps = run.steps.map((step, index) => ({
    ...step,
    outcome: step.outcome === null ? null : withEvidence(step.outcome, evidence[index] ?? null),
  }));
  return { ...run, steps };
}

/** Returns the run as soon as it has ended, or its state after the wait. */
export async function waitForEnd(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'runWatch'>,
  accountId: string,
  request: RunRequest,
): Promise<RunRecord> {
  const { runId, waitSeconds } = request;
  const untilMs = needs.clock.now() + waitSeconds * 1000;
  const run = await findRun(needs, accountId, request);
  if (isFinished(run.status) || waitSeconds === 0) return run;
  await needs.runWatch.untilEnded(accountId, runId, untilMs);
  return findRun(needs, accountId, request);
}

/** Finds the run. Throws `not_found` if the run is unknown or belongs to another scenario. */
async function findRun(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  { scenarioId, runId }: Pick<RunRequest, 'scenarioId' | 'runId'>,
): Promise<RunRecord> {
  const run = isId('run', runId) ? await stores.runs.find(accountId, runId) : null;
  if (run === null || run.scenarioId !== scenarioId)
    throw new AppError('not_found', 'This scenario has no run with this id.');
  return run;
}

export interface RunsRequest extends ListRequest {
  readonly id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly region?: string | undefined;
  readonly status?: readonly RunRecord['status'][] | undefined;
  readonly trigger?: RunRecord['trigger'] | undefined;
  /** The order. The default is newest first. */
  readonly order?: ListOrder | undefined;
}

/** Lists runs. Pages stay stable while new runs arrive. `from` is inclusive, and `to` exclusive. */
export async function listRuns(
  needs: Dependencies,
  accountId: string,
  { limit, cursor, ...filters }: RunsRequest,
): Promise<ListPage<RunResponse>> {
  const range = { limit, cursor };
  const scope = { accountId, list: 'runs', ...filters };
  await findResource(createScenarioPort(needs), accountId, filters.id);
  const wanted = {
    scenarioId: filters.id,
    fromMs: filters.from ?? null,
    toMs: filters.to ?? null,
    region: filters.region ?? null,
    status: filters.status ?? null,
    trigger: filters.trigger ?? null,
    isOldestFirst: filters.order === 'oldest',
  };
  const { items, nextCursor } = await readItems(scope, range, {
    read: (query) => needs.stores.runs.page(accountId, { ...wanted, ...query }),
    readId: ({ runId }) => runId,
  });
  return { data: items.map((run) => presentRun(needs, run)), nextCursor };
}

/** Number of runs per read. Each run has up to 50 steps with previews of their responses. */
const RUNS_PER_READ = 100;

/** Reads all matching runs, newest first. Rejects at once if the scenario does not exist. */
export function exportRuns(
  needs: Dependencies,
  accountId: string,
  filters: Omit<RunsRequest, keyof ListRequest>,
): Promise<Pages<RunResponse>> {
  return readPages((cursor) =>
    listRuns(needs, accountId, { ...filters, cursor, limit: RUNS_PER_READ }),
  );
}

interface RunPlace {
  readonly scenarioId: string;
  readonly runId: string;
}

/**
 * Cancels a run. Resolves once the run has been asked to end. Clean-up steps may then still be running. A run that has
 * not begun is recorded as cancelled. Throws `not_found`, `already_finished` or `unavailable`.
 */
export async function cancelRun(
  needs: Dependencies,
  accountId: string,
  place: RunPlace,
): Promise<RunResponse> {
  await findResource(createScenarioPort(needs), accountId, place.scenarioId);
  refuseFinished(await findRun(needs, accountId, place));
  const isAsked = await needs.gateway.cancelRun(place.scenarioId, place.runId);
  const run = await findRun(needs, accountId, place);
  // A run that has begun records its end itself. The end of a queued run is recorded here. If such a run still starts,
  // it finds this record before it sends anything.
  if (isAsked && run.status !== 'queued') return presentRun(needs, run);
  refuseFinished(run);
  const ended = cancelledRecord(run, needs.clock.now());
  await needs.stores.runs.save(accountId, ended);
  return presentRun(needs, ended);
}

function refuseFinished({ status }: RunRecord): void {
  if (isFinished(status)) throw new AppError('already_finished', `The run has ended as ${status}.`);
}

function cancelledRecord(run: RunRecord, atMs: number): RunRecord {
  return {
    ...run,
    status: 'cancelled',
    sequence: run.sequence + 1,
    finishedAtMs: atMs,
    steps: abandonSteps(run.steps, { reason: 'the run was cancelled', atMs }),
    failure: {
      code: 'cancelled',
      message: 'The run was cancelled.',
      phase: null,
      stepIndex: null,
      stepName: null,
    },
  };
}
