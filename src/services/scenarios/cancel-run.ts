/** Cancels a run of a scenario: what is left of it is skipped, but for its clean-up. */

import { isFinished, type RunRecord } from '../../contracts/records';
import { abandonedSteps } from '../../domain/definitions/run-steps';
import { AppError } from '../../platform/errors';
import type { RunResponse } from '../../schemas/responses/checks';
import type { Dependencies } from '../ports/dependencies';
import { scenarioPort } from '../resources/resource-port';
import { findResource } from '../resources/save-resource';
import { findRun } from './get-run';
import { presentRun } from './present-run';

interface RunPlace {
  readonly scenarioId: string;
  readonly runId: string;
}

/**
 * Answers once the run has been asked to end; its clean-up may still go on. A run that nobody
 * carries out ends here. Throws `not_found`, `already_finished` or `engine_unavailable`.
 */
export async function cancelRun(
  needs: Dependencies,
  accountId: string,
  place: RunPlace,
): Promise<RunResponse> {
  await findResource(scenarioPort(needs), accountId, place.scenarioId);
  refuseFinished(await findRun(needs, accountId, place));
  const isUnderWay = await needs.gateway.cancelRun(place.scenarioId, place.runId);
  const run = await findRun(needs, accountId, place);
  if (isUnderWay) return presentRun(needs, run);
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
    steps: abandonedSteps(run.steps, { reason: 'the run was cancelled', atMs }),
    failure: {
      code: 'cancelled',
      message: 'The run was cancelled.',
      phase: null,
      stepIndex: null,
      stepName: null,
    },
  };
}
