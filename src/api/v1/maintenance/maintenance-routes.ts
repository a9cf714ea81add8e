/** The routes of maintenance windows (docs/maintenance.md). */

import { maintenanceNowBody, maintenanceWindowChange } from '../../../schemas/maintenance';
import { maintenanceWindow, maintenanceWindowPage } from '../../../schemas/responses/maintenance';
import {
  changeMaintenanceWindow,
  endMaintenance,
  MAINTENANCE_WINDOWS,
  startMaintenance,
} from '../../../services/maintenance/save-maintenance-window';
import { acceptVersion } from '../../routing/preconditions';
import { createdResponse, resourceResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';
import { createVerbs, thingRoutes } from '../../routing/thing-routes';

const DOC = {
  names: {
    tag: 'Maintenance',
    path: '/v1/maintenance-windows',
    param: 'windowId',
    operand: 'MaintenanceWindow',
    audit: 'maintenance_window',
    the: 'The window',
  },
  schema: maintenanceWindow,
  page: maintenanceWindowPage,
  summaries: {
    list: 'List maintenance windows, newest first',
    create: 'Plan maintenance, once or by a recurrence rule in a time zone',
    read: 'Read a window with its next five occurrences',
    remove: 'Delete a window; what is under way ends',
  },
  codes: { create: ['limit_reached'] },
  example: {
    name: 'Backups',
    mode: 'mute',
    startsAt: '2026-02-01T02:30:00+01:00',
    durationMinutes: 60,
    rrule: 'FREQ=WEEKLY;BYDAY=SU',
    timeZone: 'Europe/Berlin',
    target: { tags: ['database'] },
  },
} as const;

const { list, create, read, remove } = thingRoutes(MAINTENANCE_WINDOWS, DOC);
const { read: findWindow } = createVerbs(MAINTENANCE_WINDOWS);

export const maintenanceSetRoutes: readonly Route[] = [
  list,
  create,
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
    handler: async (principal, { services, body }) => {
      const window = await startMaintenance(services, principal, body);
      return createdResponse(window, `${DOC.names.path}/${window.id}`);
    },
  }),
];

export const maintenanceWindowRoutes: readonly Route[] = [
  read,
  route({
    endpoint: 'PATCH /v1/maintenance-windows/:windowId',
    operationId: 'updateMaintenanceWindow',
    tag: 'Maintenance',
    summary: 'Change a window, also while it is active',
    scope: 'write',
    audit: 'maintenance_window.update',
    body: maintenanceWindowChange,
    readStored: (principal, { services, param }) =>
      findWindow({ services, principal, id: param('windowId') }),
    responses: { 200: { description: 'The window', schema: maintenanceWindow } },
    codes: ['version_mismatch'],
    example: { durationMinutes: 90 },
    handler: async ({ accountId }, { services, param, body, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      const request = { accountId, id: param('windowId'), change: body, accept };
      const window = await changeMaintenanceWindow(services, request);
      return resourceResponse(MAINTENANCE_WINDOWS.bind(services).present(window));
    },
  }),
  remove,
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
      const request = { accountId, id: param('windowId'), accept };
      return resourceResponse(await endMaintenance(services, request));
    },
  }),
];
