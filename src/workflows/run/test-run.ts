/** Carries out one run of an unsaved scenario. It stores nothing. */
import { CancellationScope, uuid4 } from '@temporalio/workflow';
import type { RunRecord } from '../../contracts/records';
import type { ScenarioRunInput } from '../../contracts/scenario-run';
import { startOver } from '../loop/continue';
import { createNextRecord, createRun } from './run-record';
import { showRun } from './show-run';
import { walkSteps } from './walk-steps';

/** Returns the record of the run at its end. A failure of a target does not fail the workflow. */
export async function testRunWorkflow(input: ScenarioRunInput): Promise<RunRecord> {
  const run = createRun(input, Date.now(), uuid4());
  const note = async (): Promise<void> => showRun(run);
  await walkSteps(run, {
    note,
    countsWaiting: true,
    startOver: (rest) => startOver<typeof testRunWorkflow>(rest),
  });
  return CancellationScope.nonCancellable(async () => createNextRecord(run));
}
