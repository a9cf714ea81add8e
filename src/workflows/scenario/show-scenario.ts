/** Shows a scenario in the Temporal UI: its state, and the runs that its workflow carries out at the moment. */
import type { ScenarioState } from '../../contracts/workflows';
import type { WorkflowContext } from '../loop/handlers';
import { show } from '../loop/show';
import { formatRun } from '../run/show-run';
import type { RunRequests } from './run-requests';

export function showScenario({
  state,
  runsHere,
}: WorkflowContext<ScenarioState> & Pick<RunRequests, 'runsHere'>): void {
  const runs = [...runsHere.values()].flatMap(({ run }) => ['', ...formatRun(run)]);
  show('scenario', state, Date.now(), runs);
}
