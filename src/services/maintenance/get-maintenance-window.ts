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

/** The row, or `not_found`, whether the id is malformed, unknown or of another account. */
export async function findMaintenanceWindow(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  id: string,
): Promise<MaintenanceWindow> {
  const row = isId('maintenance', id) ? await stores.maintenanceWindows.find(accountId, id) : null;
  if (row === null) throw new AppError('not_found', 'There is no maintenance window with this id.');
  return row;
}

export async function getMaintenanceWindow(
  needs: Needs,
  accountId: string,
  id: string,
): Promise<MaintenanceWindowResponse> {
  const row = await findMaintenanceWindow(needs, accountId, id);
  return presentMaintenanceWindow(row, needs.clock.now());
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
    present: (row) => presentMaintenanceWindow(row, nowMs),
  });
}
