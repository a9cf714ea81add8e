/** Reads one run of a scenario, and waits for its end when asked to. */

import { isFinished, type RunRecord } from '../../contracts/records';
import { isId } from '../../domain/definitions/ids';
import { withEvidence } from '../../domain/health/evidence';
import type { StepEvidence } from '../../models/results/evidence';
import { AppError } from '../../platform/errors';
import type { RunResponse } from '../../schemas/responses/checks';
import type { Dependencies } from '../ports/dependencies';
import { scenarioPort } from '../resources/resource-port';
import { findResource } from '../resources/save-resource';
import { presentRun } from './present-run';

export interface RunRequest {
  readonly scenarioId: string;
  readonly runId: string;
  /** 0: answer at once. */
  readonly waitSeconds: number;
}

/** The run as it is at its end, or after the wait; throws `not_found`. */
export async function getRun(
  needs: Dependencies,
  accountId: string,
  request: RunRequest,
): Promise<RunResponse> {
  await findResource(scenarioPort(needs), accountId, request.scenarioId);
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

/** The run at its end, or as it is after the wait; a run that has ended is answered at once. */
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

/** Throws `not_found`, also for a run of another scenario. */
export async function findRun(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  { scenarioId, runId }: Pick<RunRequest, 'scenarioId' | 'runId'>,
): Promise<RunRecord> {
  const run = isId('run', runId) ? await stores.runs.find(accountId, runId) : null;
  if (run === null || run.scenarioId !== scenarioId)
    throw new AppError('not_found', 'This scenario has no run with this id.');
  return run;
}
