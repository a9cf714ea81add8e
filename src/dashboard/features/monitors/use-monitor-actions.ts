/** What can be done to one monitor from its row and its page. Each tells what came of it. */
import { useNavigate } from '@tanstack/react-router';
import type { Monitor } from '../../shared/api-types';
import { confirm } from '../../shared/confirm';
import { tell, tellProblem } from '../../shared/notify';
import { type Change, useChange } from '../../shared/queries';
import { pauseBody } from './bulk';
import { ACTION_TEXT } from './words';

const MAINTENANCE_MINUTES = 30;
const TOUCHED = ['/v1/monitors', '/v1/overview', '/v1/incidents', '/v1/maintenance-windows'];

type Named = Pick<Monitor, 'id' | 'name'>;

interface MonitorActions {
  readonly pause: (monitor: Named, minutes: number | null) => void;
  readonly resume: (monitor: Named) => void;
  readonly checkNow: (monitor: Named) => void;
  readonly startMaintenance: (monitor: Named) => void;
  /** Asks first; afterwards the list is shown. */
  readonly remove: (monitor: Named) => void;
}

export function useMonitorActions(): MonitorActions {
  const change = useChange(TOUCHED);
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
    path: `/v1/monitors/${id}/${action}`,
    body,
  });
  return {
    pause: (monitor, minutes) =>
      send(post(monitor, 'pause', pauseBody(minutes)), `${monitor.name} is paused.`),
    resume: (monitor) => send(post(monitor, 'resume'), `${monitor.name} is checked again.`),
    checkNow: (monitor) =>
      send(post(monitor, 'run'), `${monitor.name} is being checked; its result appears here.`),
    startMaintenance: (monitor) =>
      send(
        {
          method: 'POST',
          path: '/v1/maintenance-windows/now',
          body: { minutes: MAINTENANCE_MINUTES, target: { ids: [monitor.id] } },
        },
        `${monitor.name} is in maintenance for ${MAINTENANCE_MINUTES} minutes.`,
      ),
    remove: (monitor) =>
      confirm({
        title: `Delete ${monitor.name}?`,
        text: 'Its results and its history go with it. This can not be taken back.',
        action: ACTION_TEXT.delete,
        onConfirm: () =>
          send(
            { method: 'DELETE', path: `/v1/monitors/${monitor.id}` },
            `${monitor.name} is deleted.`,
            () => void navigate({ to: '/monitors' }),
          ),
      }),
  };
}
