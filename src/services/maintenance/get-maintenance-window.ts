/** Reads maintenance windows. */

import { isId } from '../../domain/definitions/ids';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-window';
import { AppError } from '../../platform/errors';
import type { MaintenanceWindowResponse } from '../../schemas/responses/maintenance';
import type { ListPage, ListRequest } from '../lists/list-page';
import { readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { presentMaintenanceWindow } from './present-maintenance-window';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** The window, or `not_found`, whether the id is malformed, unknown or of another account. */
export async function findMaintenanceWindow(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  id: string,
): Promise<MaintenanceWindow> {
  const window = isId('maintenance', id)
    ? await stores.maintenanceWindows.find(accountId, id)
    : null;
  if (window === null)
    throw new AppError('not_found', 'There is no maintenance window with this id.');
  return window;
}

export async function getMaintenanceWindow(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<MaintenanceWindowResponse> {
  const window = await findMaintenanceWindow(needs, accountId, id);
  return presentMaintenanceWindow(window, needs.clock.now());
}

/** Newest first. */
export async function listMaintenanceWindows(
  { stores, clock }: Needs,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<MaintenanceWindowResponse>> {
  const nowMs = clock.now();
  return readList({ accountId, list: 'maintenance-windows' }, request, {
    read: (query) => stores.maintenanceWindows.page(accountId, query),
    present: (window) => presentMaintenanceWindow(window, nowMs),
  });
}
