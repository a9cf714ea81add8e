/** A scenario run as /v1 answers it (docs/api.md). */
import type { Failure, StepOutcome } from '../../contracts/outcome';
import {
  isFinished,
  type RunFailure,
  type RunRecord,
  type RunSource,
  type RunStatus,
  type RunStepRecord,
  type StepStatus,
} from '../../contracts/records';
import { scenarioRunWorkflowId } from '../../contracts/workflows';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import {
  presentRequest,
  presentResponse,
  type RequestResponse,
  type ResponseResponse,
} from '../resources/present-evidence';

interface RunStepAnswer {
  readonly index: number;
  readonly name: string;
  readonly method: RunStepRecord['method'];
  readonly status: StepStatus;
  /** The last ones; `tries` counts all. */
  readonly attempts: StepOutcome['attempts'];
  readonly tries: number;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** When a wait is over; null while it does not wait. */
  readonly waitingUntil: string | null;
  readonly responseTimeMs: number | null;
  readonly request: RequestResponse | null;
  readonly response: ResponseResponse | null;
  readonly timings: StepOutcome['timings'];
  readonly tls: StepOutcome['tls'];
  readonly assertions: StepOutcome['assertions'];
  readonly extracted: StepOutcome['extracted'];
  readonly failure: Failure | null;
  readonly skippedReason: string | null;
}

export interface RunResponse {
  readonly id: string;
  readonly scenarioId: string;
  readonly scenarioVersion: number;
  readonly trigger: RunRecord['trigger'];
  readonly label: string | null;
  readonly source: RunSource | null;
  readonly region: string;
  readonly status: RunStatus;
  readonly slot: string;
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly durationMs: number | null;
  readonly steps: readonly RunStepAnswer[];
  readonly failure: RunFailure | null;
  readonly countedInUptime: boolean;
  readonly links: {
    readonly self: string;
    readonly temporal: { readonly workflowId: string; readonly url: string | null };
  };
}

type Needs = Pick<Dependencies, 'workflowUrl'>;

export function presentRun({ workflowUrl }: Needs, run: RunRecord): RunResponse {
  const workflowId = scenarioRunWorkflowId(run.runId);
  const { startedAtMs, finishedAtMs } = run;
  return {
    id: run.runId,
    scenarioId: run.scenarioId,
    scenarioVersion: run.revision,
    trigger: run.trigger,
    label: run.label,
    source: run.source,
    region: run.region,
    status: run.status,
    slot: toInstant(run.slotMs),
    queuedAt: toInstant(run.queuedAtMs),
    startedAt: toInstantOrNull(startedAtMs),
    finishedAt: isFinished(run.status) ? toInstantOrNull(finishedAtMs) : null,
    durationMs: startedAtMs === null || finishedAtMs === null ? null : finishedAtMs - startedAtMs,
    steps: run.steps.map(presentStep),
    failure: run.failure,
    countedInUptime: run.countedInUptime,
    links: {
      self: `/v1/scenarios/${run.scenarioId}/results/${run.runId}`,
      temporal: { workflowId, url: workflowUrl(workflowId) },
    },
  };
}

function presentStep(step: RunStepRecord): RunStepAnswer {
  const { index, name, method, status, outcome, skippedReason } = step;
  return {
    index,
    name,
    method,
    status,
    attempts: outcome?.attempts ?? [],
    tries: step.tries,
    startedAt: toInstantOrNull(step.startedAtMs),
    finishedAt: toInstantOrNull(step.finishedAtMs),
    waitingUntil: toInstantOrNull(step.waitingUntilMs),
    responseTimeMs: outcome?.responseTimeMs ?? null,
    request: presentRequest(outcome?.request ?? null),
    response: presentResponse(outcome?.response ?? null),
    timings: outcome?.timings ?? null,
    tls: outcome?.tls ?? null,
    assertions: outcome?.assertions ?? [],
    extracted: outcome?.extracted ?? [],
    failure: outcome?.failure ?? null,
    skippedReason,
  };
}
