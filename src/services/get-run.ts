/** Reads one run of a scenario, and waits for its end when asked to. */
import { isFinished, type RunRecord } from '../contracts/records';
import { isId } from '../domain/ids';
import { AppError } from '../platform/errors';
import type { Dependencies } from './dependencies';
import { presentRun, type RunAnswer } from './present-run';
import { scenarioPort } from './resource-port';
import { findRow } from './save-resource';

const POLL_EVERY_MS = 250;

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
): Promise<RunAnswer> {
  await findRow(scenarioPort(needs), accountId, request.scenarioId);
  return presentRun(needs, await waitForEnd(needs, accountId, request));
}

/** Polls the database, since the workflow that knows more can't be asked while workers are away. */
export async function waitForEnd(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'sleep'>,
  accountId: string,
  request: RunRequest,
): Promise<RunRecord> {
  const untilMs = needs.clock.now() + request.waitSeconds * 1000;
  let run = await findRun(needs, accountId, request);
  while (!isFinished(run.status) && needs.clock.now() < untilMs) {
    await needs.sleep(POLL_EVERY_MS);
    run = await findRun(needs, accountId, request);
  }
  return run;
}

async function findRun(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  { scenarioId, runId }: RunRequest,
): Promise<RunRecord> {
  const run = isId('run', runId) ? await stores.runs.find(accountId, runId) : null;
  if (run === null || run.scenarioId !== scenarioId)
    throw new AppError('not_found', 'This scenario has no run with this id.');
  return run;
}
