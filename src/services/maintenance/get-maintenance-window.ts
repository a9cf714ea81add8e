/** Reads maintenance windows. */

import type { MaintenanceWindow } from '../../models/maintenance/maintenance-window';
import type { Dependencies } from '../ports/dependencies';
import { presentMaintenanceWindow } from './present-maintenance-window';

/** A page shows its windows as of one moment. */
export function maintenanceWindowKind({ stores, clock }: Pick<Dependencies, 'stores' | 'clock'>) {
  const nowMs = clock.now();
  const { find, page } = stores.maintenanceWindows;
  return {
    idKind: 'maintenance',
    name: 'maintenance window',
    list: 'maintenance-windows',
    store: { find, list: page },
    present: (window: MaintenanceWindow) => presentMaintenanceWindow(window, nowMs),
  } as const;
}
