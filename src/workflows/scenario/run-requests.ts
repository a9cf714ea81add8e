/**
 * Runs that people ask for, and take back: what a scenario does with such signals. Pure but for the
 * handlers, which only change the context; it starts nothing.
 */
import {
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

/** While `starting` the workflow of a run may not be there yet; one taken back in time has `ended`. */
type RunStage = 'starting' | 'running' | 'ended';

/** What a context holds of requests besides those in its state. */
export interface RunRequests {
  /** Runs of this execution; those of earlier ones are unknown. */
  readonly runs: Map<string, RunStage>;
  /** Runs that are to be cancelled and are not asked yet. */
  readonly toCancel: string[];
  /** Runs that are asked to end and have neither taken it nor ended. */
  readonly cancelling: Set<string>;
}

/** Registers `runNow`, `cancelRun` and what is pending of them; a repeated request changes nothing. */
export function handleRunRequests(context: WorkflowContext<ScenarioState> & RunRequests): void {
  setHandler(defineSignal<[ManualRun, ScenarioConfig?]>(SIGNALS.runNow), (run, config) => {
    if (config !== undefined) configure(context, config);
    if (!isManualRun(run)) {
      log.warn('ignored a request to run now with arguments that are not understood');
      return;
    }
    const { manual } = context.state;
    const known = new Set(idsOf(manual));
    if (run.runs.some(({ runId }) => known.has(runId))) return;
    context.state = { ...context.state, manual: [...manual, run] };
    context.woken = true;
  });
  setHandler(defineQuery<readonly string[]>(PENDING_RUNS_QUERY), () => [
    ...idsOf(context.state.manual),
    ...runsIn(context, 'starting'),
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

/** Ids of the runs of this execution that are at this stage. */
export function runsIn({ runs }: RunRequests, wanted: RunStage): readonly string[] {
  return [...runs].flatMap(([runId, stage]) => (stage === wanted ? [runId] : []));
}

/**
 * Takes those off the list that can be asked to end now, each once; the ones just being started are so
 * later, and the ones that are being asked need no second request.
 */
export function takeRunsToCancel({ runs, toCancel, cancelling }: RunRequests): readonly string[] {
  const asked = [...new Set(toCancel.splice(0))].filter((runId) => !cancelling.has(runId));
  toCancel.push(...asked.filter((runId) => runs.get(runId) === 'starting'));
  return asked.filter((runId) => runs.get(runId) === 'running' || !runs.has(runId));
}

function idsOf(manual: readonly ManualRun[]): readonly string[] {
  return manual.flatMap(({ runs }) => runs.map(({ runId }) => runId));
}

/** Asks a run to end, if it still goes on. */
export async function cancelRun(runId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(scenarioRunWorkflowId(runId)).cancel();
  } catch (error) {
    // It has ended, or never was: there is nothing to cancel then.
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
  }
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
