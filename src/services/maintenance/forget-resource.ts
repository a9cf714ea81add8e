/**
 * Removes a deleted monitor or scenario from maintenance windows, and deletes windows that named only this resource.
 */

import type { MaintenanceTarget } from '../../contracts/maintenance';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import { removeTypedObject } from '../objects/object-type';
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { changeMaintenanceWindow, MAINTENANCE_WINDOWS } from './save-maintenance-window';

/**
 * Removes the resource. Windows that files manage do not change. Logs failures instead of throwing, because the
 * resource is already deleted, and a window that still names it has no effect.
 */
export async function forgetResource(
  needs: Dependencies,
  accountId: string,
  resourceId: string,
): Promise<void> {
  try {
    const windows = await needs.stores.maintenanceWindows.listAll(accountId);
    for (const window of windows)
      if (window.target.ids.includes(resourceId) && window.managedBy === undefined)
        await withoutResource(needs, window, resourceId);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    needs.notifyOperator(
      { reason, resourceId },
      'maintenance windows may still name a deleted resource',
    );
  }
}

async function withoutResource(
  needs: Dependencies,
  { id, accountId, target }: MaintenanceWindow,
  resourceId: string,
): Promise<void> {
  const left = {
    ...target,
    ids: target.ids.filter((named) => named !== resourceId),
    tags: [...target.tags],
    groups: [...target.groups],
  };
  const request = { accountId, id, accept: anyVersion };
  if (isNothing(left)) await removeTypedObject(needs, MAINTENANCE_WINDOWS, request);
  else await changeMaintenanceWindow(needs, { ...request, change: { target: left } });
}

function isNothing({ all, ids, tags, groups }: MaintenanceTarget): boolean {
  return !all && ids.length + tags.length + groups.length === 0;
}
