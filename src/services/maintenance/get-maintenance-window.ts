/** Reads maintenance windows. */

import { isId } from '../../domain/definitions/ids';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-window';
import { AppError } from '../../platform/errors';
import type { MaintenanceWindowResponse } from '../../schemas/responses/maintenance';
import { decodeCursor, encodeCursor, ID_POSITION } from '../lists/cursor';
import type { ListPage, ListRequest } from '../lists/list-page';
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
  { limit, cursor }: ListRequest,
): Promise<ListPage<MaintenanceWindowResponse>> {
  const scope = { accountId, list: 'maintenance-windows' };
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const page = await stores.maintenanceWindows.page(accountId, { limit, beforeId });
  const last = page.rows.at(-1);
  const nextCursor = page.hasMore && last !== undefined ? encodeCursor(scope, [last.id]) : null;
  const nowMs = clock.now();
  return { data: page.rows.map((row) => presentMaintenanceWindow(row, nowMs)), nextCursor };
}
