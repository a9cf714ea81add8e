/** The workflow of a run that waits between its steps. After a crash of its worker, it continues at the unfinished step. */
import { uuid4 } from '@temporalio/workflow';
import type { ScenarioRunInput, ScenarioRunResult } from '../../contracts/scenario-run';
import { startOver } from '../loop/continue';
import { migrate } from '../loop/migrate';
import { executeRun } from './execute-run';
import { createRun } from './run-record';
import { showRun } from './show-run';

/** Runs a scenario in a workflow of its own. Earlier releases started such a workflow for every run. */
export async function scenarioRunWorkflow(given: ScenarioRunInput): Promise<ScenarioRunResult> {
  const run = createRun(migrate(given), Date.now(), uuid4());
  return executeRun(run, {
    show: () => showRun(run),
    startOver: (rest) => startOver<typeof scenarioRunWorkflow>(rest),
  });
}
