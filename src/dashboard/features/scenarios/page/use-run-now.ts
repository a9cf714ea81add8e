/** Runs a scenario at once, besides its schedule; afterwards the run is shown. */
import { useNavigate } from '@tanstack/react-router';
import { type Named, touchedBy } from '../../../shared/actions/use-resource-actions';
import type { RequestedRuns } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { tellProblem } from '../../../shared/ui/notify';

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
