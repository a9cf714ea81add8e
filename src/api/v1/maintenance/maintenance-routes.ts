/** The routes of maintenance windows (docs/maintenance.md). */

import { maintenanceNowBody, maintenanceWindowChange } from '../../../schemas/maintenance';
import { maintenanceWindow, maintenanceWindowPage } from '../../../schemas/responses/maintenance';
import {
  changeMaintenanceWindow,
  endMaintenance,
  MAINTENANCE_WINDOWS,
  startMaintenance,
} from '../../../services/maintenance/save-maintenance-window';
import { createVerbs, objectRoutes } from '../../routing/object-routes';
import { acceptVersion } from '../../routing/preconditions';
import { createdResponse, resourceResponse } from '../../routing/response';
import { EMPTY_BODY, type Route, route } from '../../routing/route';

const DOC = {
  names: {
    tag: 'Maintenance',
    path: '/v1/maintenance-windows',
    param: 'windowId',
    operand: 'MaintenanceWindow',
    audit: 'maintenance_window',
    the: 'The window',
    one: 'a maintenance window',
    many: 'maintenance windows',
    guide: 'docs/maintenance.md#planned-windows',
  },
  schema: maintenanceWindow,
  page: maintenanceWindowPage,
  descriptions: {
    list: 'Returns maintenance windows in pages, newest first, each with its next five occurrences. Windows that have ended stay in the list.',
    create:
      'Plans maintenance, once or by a recurrence rule in a time zone. During a window, no alerts about its checks are sent, and the time does not count in uptime.',
    read: 'Returns the window with its next five occurrences.',
    remove:
      'Deletes the window with all later occurrences. An occurrence in progress ends, and people are alerted about every check that is still down.',
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

const { list, create, read, remove } = objectRoutes(MAINTENANCE_WINDOWS, DOC);
const { read: findWindow } = createVerbs(MAINTENANCE_WINDOWS);

export const maintenanceSetRoutes: readonly Route[] = [
  list,
  create,
  route({
    endpoint: 'POST /v1/maintenance-windows/now',
    operationId: 'startMaintenance',
    tag: 'Maintenance',
    summary: 'Start maintenance now',
    description:
      'Creates a maintenance window that starts now and ends after `minutes`. By default, checks go on and no one is alerted.',
    guide: 'docs/maintenance.md#around-a-deployment',
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
    summary: 'Update a maintenance window',
    description:
      'Changes only the fields in the body, also while the window is active. A window covers only the time after it was saved.',
    guide: 'docs/maintenance.md#planned-windows',
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
    summary: 'End a maintenance window',
    description:
      'Ends the occurrence in progress and keeps later ones. People are alerted about every check that is still down.',
    guide: 'docs/maintenance.md#planned-windows',
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
