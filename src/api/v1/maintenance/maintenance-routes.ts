/** Maintenance windows (docs/maintenance.md). */

import {
  maintenanceNowBody,
  maintenanceWindowBody,
  maintenanceWindowChange,
} from '../../../schemas/maintenance';
import { pageQuery } from '../../../schemas/queries';
import { maintenanceWindow, maintenanceWindowPage } from '../../../schemas/responses/maintenance';
import {
  getMaintenanceWindow,
  listMaintenanceWindows,
} from '../../../services/maintenance/get-maintenance-window';
import {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  endMaintenance,
  startMaintenance,
} from '../../../services/maintenance/save-maintenance-window';
import { acceptVersion } from '../../routing/preconditions';
import {
  createdResponse,
  listResponse,
  NO_CONTENT,
  resourceResponse,
} from '../../routing/response';
import { EMPTY_BODY, NO_BODY, NO_QUERY, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

const PATH = '/v1/maintenance-windows';

export const maintenanceSetRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/maintenance-windows',
    operationId: 'listMaintenanceWindows',
    tag: 'Maintenance',
    summary: 'List maintenance windows, newest first',
    scope: 'read',
    body: NO_BODY,
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: maintenanceWindowPage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listMaintenanceWindows(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/maintenance-windows',
    operationId: 'createMaintenanceWindow',
    tag: 'Maintenance',
    summary: 'Plan maintenance, once or by a recurrence rule in a time zone',
    scope: 'write',
    audit: 'maintenance_window.create',
    body: maintenanceWindowBody,
    query: NO_QUERY,
    responses: { 201: { description: 'The window', schema: maintenanceWindow } },
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
    handler: async ({ accountId }, { services, body }) => {
      const window = await createMaintenanceWindow(services, accountId, body);
      return createdResponse(window, `${PATH}/${window.id}`);
    },
  }),
  route({
    endpoint: 'POST /v1/maintenance-windows/now',
    operationId: 'startMaintenance',
    tag: 'Maintenance',
    summary: 'Start maintenance at once, for some minutes',
    scope: 'write',
    audit: 'maintenance_window.now',
    body: maintenanceNowBody,
    query: NO_QUERY,
    responses: { 201: { description: 'The window', schema: maintenanceWindow } },
    codes: ['limit_reached'],
    example: { minutes: 30, target: { all: true } },
    handler: async ({ accountId }, { services, body }) => {
      const window = await startMaintenance(services, accountId, body);
      return createdResponse(window, `${PATH}/${window.id}`);
    },
  }),
];

export const maintenanceWindowRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/maintenance-windows/:windowId',
    operationId: 'getMaintenanceWindow',
    tag: 'Maintenance',
    summary: 'Read a window with its next five occurrences',
    scope: 'read',
    body: NO_BODY,
    query: NO_QUERY,
    responses: { 200: { description: 'The window', schema: maintenanceWindow } },
    handler: async ({ accountId }, { services, param }) =>
      resourceResponse(await getMaintenanceWindow(services, accountId, param('windowId'))),
  }),
  route({
    endpoint: 'PATCH /v1/maintenance-windows/:windowId',
    operationId: 'updateMaintenanceWindow',
    tag: 'Maintenance',
    summary: 'Change a window, also while it is active',
    scope: 'write',
    audit: 'maintenance_window.update',
    body: maintenanceWindowChange,
    readStored: ({ accountId }, { services, param }) =>
      getMaintenanceWindow(services, accountId, param('windowId')),
    query: NO_QUERY,
    responses: { 200: { description: 'The window', schema: maintenanceWindow } },
    codes: ['version_mismatch'],
    example: { durationMinutes: 90 },
    handler: async ({ accountId }, { services, param, body, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      const request = { id: param('windowId'), change: body, accept };
      return resourceResponse(await changeMaintenanceWindow(services, accountId, request));
    },
  }),
  route({
    endpoint: 'DELETE /v1/maintenance-windows/:windowId',
    operationId: 'deleteMaintenanceWindow',
    tag: 'Maintenance',
    summary: 'Delete a window; what is under way ends',
    scope: 'write',
    audit: 'maintenance_window.delete',
    body: NO_BODY,
    query: NO_QUERY,
    responses: DONE,
    codes: ['version_mismatch'],
    handler: async ({ accountId }, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      await deleteMaintenanceWindow(services, accountId, { id: param('windowId'), accept });
      return NO_CONTENT;
    },
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
    query: NO_QUERY,
    responses: { 200: { description: 'The window', schema: maintenanceWindow } },
    codes: ['version_mismatch'],
    handler: async ({ accountId }, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      const request = { id: param('windowId'), accept };
      return resourceResponse(await endMaintenance(services, accountId, request));
    },
  }),
];
