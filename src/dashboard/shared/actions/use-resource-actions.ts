/**
 * What can be done to one monitor or scenario from its row and its page. Each tells what came of it.
 * What only one of the two kinds can do stays with that kind.
 */
import { useNavigate } from '@tanstack/react-router';
import { type Change, useChange } from '../data/queries';
import type { ListKind } from '../list/list-filters';
import { confirm } from '../ui/confirm';
import { tell, tellProblem } from '../ui/notify';
import { pauseBody } from './pause-body';
import { ACTION_TEXT } from './words';

const MAINTENANCE_MINUTES = 30;
/** Beside the list of its kind. */
const TOUCHED = ['/v1/overview', '/v1/incidents', '/v1/maintenance-windows'];

export interface Named {
  readonly id: string;
  readonly name: string;
}

interface ResourceActions {
  readonly pause: (resource: Named, minutes: number | null) => void;
  readonly resume: (resource: Named) => void;
  readonly startMaintenance: (resource: Named) => void;
  /** Asks first; afterwards the list is shown. */
  readonly remove: (resource: Named) => void;
  /** Posts to the resource, and says the sentence when that was done. */
  readonly post: (resource: Named, action: string, done: string) => void;
}

/** What a change of this kind may have touched. */
export function touchedBy(kind: ListKind): readonly string[] {
  return [`/v1/${kind}`, ...TOUCHED];
}

export function useResourceActions(kind: ListKind): ResourceActions {
  const change = useChange(touchedBy(kind));
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
  const post = ({ id }: Named, action: string, done: string, body?: unknown): void =>
    send({ method: 'POST', path: `/v1/${kind}/${id}/${action}`, body }, done);
  return {
    post,
    pause: (resource, minutes) =>
      post(resource, 'pause', `${resource.name} is paused.`, pauseBody(minutes)),
    resume: (resource) => post(resource, 'resume', `${resource.name} is watched again.`),
    startMaintenance: ({ id, name }) =>
      send(
        {
          method: 'POST',
          path: '/v1/maintenance-windows/now',
          body: { minutes: MAINTENANCE_MINUTES, target: { ids: [id] } },
        },
        `${name} is in maintenance for ${MAINTENANCE_MINUTES} minutes.`,
      ),
    remove: ({ id, name }) =>
      confirm({
        title: `Delete ${name}?`,
        text: 'All that was measured goes with it. This can not be taken back.',
        action: ACTION_TEXT.delete,
        onConfirm: () =>
          send(
            { method: 'DELETE', path: `/v1/${kind}/${id}` },
            `${name} is deleted.`,
            () => void navigate({ to: `/${kind}` }),
          ),
      }),
  };
}
