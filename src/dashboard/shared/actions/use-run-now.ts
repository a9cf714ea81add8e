/** Runs a scenario at once, in addition to its schedule, and shows the run afterwards. */
import { useNavigate } from '@tanstack/react-router';
import type { RequestedRuns } from '../data/api-types';
import { useAct } from './use-act';
import { type Named, touchedBy } from './use-resource-actions';

/** Runs the scenario. The body may contain values for variables. */
export function useRunNow(): (scenario: Named, body?: unknown) => void {
  const { act } = useAct<RequestedRuns>(touchedBy('scenarios'));
  const navigate = useNavigate();
  return ({ id: scenarioId }, body) =>
    act(
      { method: 'POST', path: `/v1/scenarios/${scenarioId}/run`, body },
      { onDone: ({ id }) => navigate({ to: `/scenarios/${scenarioId}/runs/${id}` }) },
    );
}
