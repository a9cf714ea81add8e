/** Converts a run to the form that /v1 returns (docs/api.md). */
import { isFinished, type RunRecord, type RunStepRecord } from '../../contracts/records';
import { scenarioRunWorkflowId, scenarioWorkflowId } from '../../contracts/workflows';
import { findCertificate } from '../../domain/health/ending-facts';
import type { RunResponse } from '../../schemas/responses/runs';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { presentRequest, presentResponse, presentTimings } from '../results/present-evidence';

type Needs = Pick<Dependencies, 'workflowUrl'>;

export function presentRun({ workflowUrl }: Needs, run: RunRecord): RunResponse {
  const { startedAtMs, finishedAtMs } = run;
  return {
    id: run.runId,
    scenarioId: run.scenarioId,
    revision: run.revision,
    environment: run.environment ?? null,
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
      temporal: linkToTemporal({ workflowUrl }, run),
    },
  };
}

/**
 * Returns the link to the workflow that carries out the run. This is the scenario's workflow if the run has not begun,
 * or if the scenario's workflow itself carries it out. Other runs have their own workflow.
 */
function linkToTemporal(
  { workflowUrl }: Needs,
  { runId, scenarioId, startedAtMs, executionId }: RunRecord,
): RunResponse['links']['temporal'] {
  const isHere = startedAtMs === null || executionId !== undefined;
  const workflowId = isHere ? scenarioWorkflowId(scenarioId) : scenarioRunWorkflowId(runId);
  return { workflowId, url: workflowUrl(workflowId, executionId) };
}

function presentStep(step: RunStepRecord): RunResponse['steps'][number] {
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
    timings: presentTimings(outcome?.timings ?? null),
    tls: outcome && findCertificate(outcome),
    assertions: outcome?.assertions ?? [],
    extracted: outcome?.extracted ?? [],
    failure: outcome?.failure ?? null,
    skippedReason,
    cookies: outcome?.cookies?.set ?? [],
    notes: outcome?.cookies?.notes ?? [],
  };
}
