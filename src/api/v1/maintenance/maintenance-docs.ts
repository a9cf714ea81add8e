/** What the reference says of maintenance windows. */
import { maintenanceWindow, maintenanceWindowPage } from '../../../schemas/responses/maintenance';
import type { RouteDocs } from '../../openapi/route-doc';

const MAINTENANCE = { tag: 'Maintenance' } as const;

export const MAINTENANCE_DOCS: RouteDocs = {
  'GET /v1/maintenance-windows': {
    ...MAINTENANCE,
    summary: 'List maintenance windows, newest first',
    answers: { 200: { says: 'A page', shape: maintenanceWindowPage } },
  },
  'POST /v1/maintenance-windows': {
    ...MAINTENANCE,
    summary: 'Plan maintenance, once or by a recurrence rule in a time zone',
    answers: { 201: { says: 'The window', shape: maintenanceWindow } },
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
  },
  'POST /v1/maintenance-windows/now': {
    ...MAINTENANCE,
    summary: 'Start maintenance at once, for some minutes',
    answers: { 201: { says: 'The window', shape: maintenanceWindow } },
    codes: ['limit_reached'],
    example: { minutes: 30, target: { all: true } },
  },
  'GET /v1/maintenance-windows/:windowId': {
    ...MAINTENANCE,
    summary: 'Read a window with its next five occurrences',
    answers: { 200: { says: 'The window', shape: maintenanceWindow }, 304: { says: 'Unchanged' } },
  },
  'PATCH /v1/maintenance-windows/:windowId': {
    ...MAINTENANCE,
    summary: 'Change a window, also while it is active',
    answers: { 200: { says: 'The window', shape: maintenanceWindow } },
    codes: ['version_mismatch'],
    example: { durationMinutes: 90 },
  },
  'DELETE /v1/maintenance-windows/:windowId': {
    ...MAINTENANCE,
    summary: 'Delete a window; what is under way ends',
    answers: { 204: { says: 'Done; no body' } },
    codes: ['version_mismatch'],
  },
  'POST /v1/maintenance-windows/:windowId/end': {
    ...MAINTENANCE,
    summary: 'End what is under way; later occurrences stay',
    answers: { 200: { says: 'The window', shape: maintenanceWindow } },
    codes: ['version_mismatch'],
  },
};
