/** What can be done to one scenario from its row and its page. Each tells what came of it. */
import { useNavigate } from '@tanstack/react-router';
import type { RequestedRuns, Scenario } from '../../shared/api-types';
import { confirm } from '../../shared/confirm';
import { tell, tellProblem } from '../../shared/notify';
import { type Change, useChange } from '../../shared/queries';
import { ACTION_TEXT } from './strings';

const TOUCHED = ['/v1/scenarios', '/v1/overview', '/v1/incidents'];

type Named = Pick<Scenario, 'id' | 'name'>;

export interface ScenarioActions {
  readonly pause: (scenario: Named, minutes: number | null) => void;
  readonly resume: (scenario: Named) => void;
  /** Afterwards the run is shown. */
  readonly run: (scenario: Named, body?: unknown) => void;
  /** Asks first; afterwards the list is shown. */
  readonly remove: (scenario: Named) => void;
}

export function useScenarioActions(): ScenarioActions {
  const change = useChange(TOUCHED);
  const start = useChange<RequestedRuns>(TOUCHED);
  const navigate = useNavigate();
  const send = (sent: Change, done: string, onDone?: () => void): void => {
    change.mutate(sent, {
      onSuccess: () => {
        tell(done);
        onDone?.();
      },
      onError: tellProblem,
    });
  };
  const post = ({ id }: Named, action: string, body?: unknown): Change => ({
    method: 'POST',
    path: `/v1/scenarios/${id}/${action}`,
    body,
  });
  return {
    pause: (scenario, minutes) =>
      send(post(scenario, 'pause', pauseBody(minutes)), `${scenario.name} is paused.`),
    resume: (scenario) => send(post(scenario, 'resume'), `${scenario.name} runs again.`),
    run: (scenario, body) =>
      start.mutate(post(scenario, 'run', body), {
        onSuccess: ({ id }) => void navigate({ to: `/scenarios/${scenario.id}/runs/${id}` }),
        onError: tellProblem,
      }),
    remove: (scenario) =>
      confirm({
        title: `Delete ${scenario.name}?`,
        text: 'Its runs and its history go with it. This can not be taken back.',
        action: ACTION_TEXT.delete,
        onConfirm: () =>
          send(
            { method: 'DELETE', path: `/v1/scenarios/${scenario.id}` },
            `${scenario.name} is deleted.`,
            () => void navigate({ to: '/scenarios' }),
          ),
      }),
  };
}

function pauseBody(minutes: number | null): { readonly until?: string } {
  if (minutes === null) return {};
  return { until: new Date(Date.now() + minutes * 60_000).toISOString() };
}
