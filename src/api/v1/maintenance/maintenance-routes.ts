/** Maintenance windows (docs/maintenance.md). */

import {
  maintenanceNowBody,
  maintenanceWindowBody,
  maintenanceWindowChange,
} from '../../../schemas/maintenance';
import { pageQuery } from '../../../schemas/queries';
import { maintenanceWindow, maintenanceWindowPage } from '../../../schemas/responses/maintenance';
import { maintenanceWindowKind } from '../../../services/maintenance/present-maintenance-window';
import {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  endMaintenance,
  startMaintenance,
} from '../../../services/maintenance/save-maintenance-window';
import { acceptVersion } from '../../routing/preconditions';
import {
  createRoute,
  createVerbs,
  deleteRoute,
  getRoute,
  listRoute,
} from '../../routing/resource-routes';
import { createdResponse, resourceResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';

const WINDOW = {
  tag: 'Maintenance',
  path: '/v1/maintenance-windows',
  param: 'windowId',
  operand: 'MaintenanceWindow',
  audit: 'maintenance_window',
  the: 'The window',
} as const;

const { list, read } = createVerbs(maintenanceWindowKind);

export const maintenanceSetRoutes: readonly Route[] = [
  listRoute(WINDOW, {
    summary: 'List maintenance windows, newest first',
    query: pageQuery,
    schema: maintenanceWindowPage,
    list,
  }),
  createRoute(WINDOW, {
    summary: 'Plan maintenance, once or by a recurrence rule in a time zone',
    body: maintenanceWindowBody,
    schema: maintenanceWindow,
    codes: ['limit_reached'],
    example: {
      name: 'Backups',
      mode: 'mute',
      startsAt: '2026-02-01T02:30:00+01:00',
      durationMinutes: 60,
      rrule: 'FREQ=WEEKLY;BYDAY=SU',
      timeZone: 'Europe/Berlin',
      target: { tags: ['database'] },
    },
    create: ({ services, principal }, body) =>
      createMaintenanceWindow(services, principal.accountId, body),
  }),
  route({
    endpoint: 'POST /v1/maintenance-windows/now',
    operationId: 'startMaintenance',
    tag: 'Maintenance',
    summary: 'Start maintenance now, for a number of minutes',
    scope: 'write',
    audit: 'maintenance_window.now',
    body: maintenanceNowBody,
    responses: { 201: { description: 'The window', schema: maintenanceWindow } },
    codes: ['limit_reached'],
    example: { minutes: 30, target: { all: true } },
    handler: async ({ accountId }, { services, body }) => {
      const window = await startMaintenance(services, accountId, body);
      return createdResponse(window, `${WINDOW.path}/${window.id}`);
    },
  }),
];

export const maintenanceWindowRoutes: readonly Route[] = [
  getRoute(WINDOW, {
    summary: 'Read a window with its next five occurrences',
    schema: maintenanceWindow,
    read,
  }),
  route({
    endpoint: 'PATCH /v1/maintenance-windows/:windowId',
    operationId: 'updateMaintenanceWindow',
    tag: 'Maintenance',
    summary: 'Change a window, also while it is active',
    scope: 'write',
    audit: 'maintenance_window.update',
    body: maintenanceWindowChange,
    readStored: (principal, { services, param }) =>
      read({ services, principal, id: param('windowId') }),
    responses: { 200: { description: 'The window', schema: maintenanceWindow } },
    codes: ['version_mismatch'],
    example: { durationMinutes: 90 },
    handler: async ({ accountId }, { services, param, body, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      const request = { id: param('windowId'), change: body, accept };
      return resourceResponse(await changeMaintenanceWindow(services, accountId, request));
    },
  }),
  deleteRoute(WINDOW, {
    summary: 'Delete a window; what is under way ends',
    remove: ({ services, principal, ...change }) =>
      deleteMaintenanceWindow(services, principal.accountId, change),
  }),
  route({
    endpoint: 'POST /v1/maintenance-windows/:windowId/end',
    operationId: 'endMaintenanceWindow',
    tag: 'Maintenance',
    summary: 'End what is under way; later occurrences stay',
    scope: 'write',
    audit: 'maintenance_window.end',
    body: EMPTY_BODY,
    isBodyOptional: true,
    responses: { 200: { description: 'The window', schema: maintenanceWindow } },
    codes: ['version_mismatch'],
    handler: async ({ accountId }, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      const request = { id: param('windowId'), accept };
      return resourceResponse(await endMaintenance(services, accountId, request));
    },
  }),
];
