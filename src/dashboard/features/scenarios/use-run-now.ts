/** Runs a scenario at once, besides its schedule; afterwards the run is shown. */
import { useNavigate } from '@tanstack/react-router';
import { type Named, touchedBy } from '../../shared/actions/use-resource-actions';
import type { RequestedRuns } from '../../shared/api-types';
import { tellProblem } from '../../shared/notify';
import { useChange } from '../../shared/queries';

/** The body may hold values for variables. */
export function useRunNow(): (scenario: Named, body?: unknown) => void {
  const start = useChange<RequestedRuns>(touchedBy('scenarios'));
  const navigate = useNavigate();
  return (scenario, body) =>
    start.mutate(
      { method: 'POST', path: `/v1/scenarios/${scenario.id}/run`, body },
      {
        onSuccess: ({ id }) => void navigate({ to: `/scenarios/${scenario.id}/runs/${id}` }),
        onError: tellProblem,
      },
    );
}
