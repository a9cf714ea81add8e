/** Handles the signals by which people request and cancel runs of a scenario. The handlers only change the context. */
import {
  type CancellationScope,
  defineQuery,
  defineSignal,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  setHandler,
  TemporalFailure,
} from '@temporalio/workflow';
import {
  type ManualRun,
  PENDING_RUNS_QUERY,
  type ScenarioConfig,
  type ScenarioState,
  SIGNALS,
  scenarioRunWorkflowId,
} from '../../contracts/workflows';
import { configure, type WorkflowContext } from '../loop/handlers';
import { awaitOtherTask } from '../loop/next-task';
import type { Run } from '../run/run-record';

/**
 * `starting` means that the workflow of the run may not exist yet. A run that is cancelled in that stage has `ended`.
 */
type RunStage = 'starting' | 'running' | 'ended';

/** A run that the scenario's own workflow carries out. */
interface RunHere {
  readonly run: Run;
  readonly scope: CancellationScope;
}

/** Requests of a context that are not in its state. */
export interface RunRequests {
  /** Runs that this execution of the workflow has started. */
  readonly runs: Map<string, RunStage>;
  /**
   * Unfinished runs that this workflow carries out itself. The workflow must not continue as new before these runs end.
   */
  readonly runsHere: Map<string, RunHere>;
  /** Runs to cancel whose cancellation has not been requested yet. */
  readonly toCancel: string[];
  /** Unfinished runs whose cancellation has been requested but not accepted yet. */
  readonly cancelling: Set<string>;
}

/** Registers `runNow`, `cancelRun` and the query for pending runs. A repeated request changes nothing. */
export function handleRunRequests(context: WorkflowContext<ScenarioState> & RunRequests): void {
  setHandler(defineSignal<[ManualRun, ScenarioConfig?]>(SIGNALS.runNow), (run, config) => {
    if (config !== undefined) configure(context, config);
    if (!isManualRun(run)) {
      log.warn('ignored a request to run now with invalid arguments');
      return;
    }
    const { manual, begunRuns = [] } = context.state;
    const known = new Set([...listIds(manual), ...begunRuns]);
    if (run.runs.some(({ runId }) => known.has(runId))) return;
    context.state = { ...context.state, manual: [...manual, run] };
    context.woken = true;
  });
  setHandler(defineQuery<readonly string[]>(PENDING_RUNS_QUERY), () => [
    ...listIds(context.state.manual),
    ...listRunsIn(context, 'starting'),
    ...context.runsHere.keys(),
  ]);
  setHandler(defineSignal<[unknown]>(SIGNALS.cancelRun), (runId) => {
    if (typeof runId !== 'string') {
      log.warn('ignored a cancellation that names no run');
      return;
    }
    const { manual } = context.state;
    const rest = withoutRun(manual, runId);
    const isPending =
      rest.length < manual.length || rest.some((run, index) => run !== manual[index]);
    if (isPending) {
      context.state = { ...context.state, manual: rest };
      context.runs.set(runId, 'ended');
    } else context.toCancel.push(runId);
    context.woken = true;
  });
}

/** Returns the ids of this execution's runs at this stage. */
export function listRunsIn({ runs }: RunRequests, wanted: RunStage): readonly string[] {
  return [...runs].flatMap(([runId, stage]) => (stage === wanted ? [runId] : []));
}

/**
 * Removes and returns the runs whose cancellation can be requested now. A run that is still starting stays on the list.
 * No run is cancelled twice.
 */
export function takeRunsToCancel({ runs, toCancel, cancelling }: RunRequests): readonly string[] {
  const asked = [...new Set(toCancel.splice(0))].filter((runId) => !cancelling.has(runId));
  toCancel.push(...asked.filter((runId) => runs.get(runId) === 'starting'));
  return asked.filter((runId) => runs.get(runId) === 'running' || !runs.has(runId));
}

function listIds(manual: readonly ManualRun[]): readonly string[] {
  return manual.flatMap(({ runs }) => runs.map(({ runId }) => runId));
}

/** Cancels a run that has a workflow of its own, if it is still in progress. */
export async function cancelRun(runId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(scenarioRunWorkflowId(runId)).cancel();
  } catch (error) {
    // The run has ended or never existed: there is nothing to cancel.
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
  }
}

/**
 * Cancels a run that this workflow carries out. If the current workflow task has just scheduled an activity, waits for
 * another task first. Otherwise the history would not contain the end of the activity, and a replay could order this
 * end differently among the local activities of other runs.
 */
export async function cancelHere({ run, scope }: RunHere): Promise<void> {
  await awaitOtherTask(() => run.sentAtEvent);
  scope.cancel();
}

function withoutRun(manual: readonly ManualRun[], runId: string): readonly ManualRun[] {
  return manual
    .map((request) => {
      const runs = request.runs.filter((run) => run.runId !== runId);
      return runs.length === request.runs.length ? request : { ...request, runs };
    })
    .filter(({ runs }) => runs.length > 0);
}

function isManualRun(request: unknown): request is ManualRun {
  if (typeof request !== 'object' || request === null) return false;
  const given: Partial<Record<keyof ManualRun, unknown>> = request;
  return (
    typeof given.queuedAtMs === 'number' &&
    Array.isArray(given.runs) &&
    given.runs.length > 0 &&
    given.runs.every(isRequestedRun)
  );
}

function isRequestedRun(run: unknown): boolean {
  if (typeof run !== 'object' || run === null) return false;
  const given: Partial<Record<keyof ManualRun['runs'][number], unknown>> = run;
  return (
    typeof given.runId === 'string' &&
    typeof given.region === 'string' &&
    Array.isArray(given.variables)
  );
}
