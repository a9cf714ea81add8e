/** Ends the current occurrence of a maintenance window. */
import type { MaintenanceWindow } from '../data/api-types';
import { useAct } from './use-act';

/** Paths that are read again after a change of a window, because maintenance affects their data. */
export const MAINTENANCE_TOUCHES = [
  '/v1/maintenance-windows',
  '/v1/monitors',
  '/v1/scenarios',
  '/v1/overview',
  '/v1/checks',
];

export function useEndMaintenance() {
  const { act, isPending } = useAct(MAINTENANCE_TOUCHES);
  const end = ({ id }: Pick<MaintenanceWindow, 'id'>): void =>
    act(
      { method: 'POST', path: `/v1/maintenance-windows/${id}/end`, body: {} },
      { done: 'Maintenance ended.' },
    );
  return { end, isPending };
}
