/** The routes of the service hours of monitors and scenarios (docs/maintenance.md). */
import { hours, hoursPage } from '../../../schemas/responses/maintenance';
import { HOURS } from '../../../services/maintenance/hours';
import { PATCHES } from '../../openapi/named-shapes';
import type { Route } from '../../routing/route';
import { replacementRoutes, thingRoutes } from '../../routing/thing-routes';

const DOC = {
  names: {
    tag: 'Maintenance',
    path: '/v1/hours',
    param: 'hoursId',
    operand: 'Hours',
    operands: 'AllHours',
    audit: 'hours',
    the: 'The hours',
  },
  schema: hours,
  page: hoursPage,
  summaries: {
    list: 'List hours, newest first',
    create: 'Create hours: times of the week outside of which nobody is notified',
    read: 'Read hours, whether they are open now, and until when',
    remove: 'Delete hours that nothing goes by any more',
  },
  codes: { create: ['key_taken', 'limit_reached'], remove: ['in_use'] },
  example: {
    key: 'shop',
    name: 'Opening hours of the shop',
    timeZone: 'Europe/Berlin',
    weekly: [
      { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' },
      { days: ['sat'], from: '10:00', to: '14:00' },
    ],
    holidays: ['2026-12-25', '2026-12-26'],
  },
} as const;

const { list, create, read, remove } = thingRoutes(HOURS, DOC);

export const hoursRoutes: readonly Route[] = [
  list,
  create,
  read,
  ...replacementRoutes(HOURS, DOC, {
    summary: 'Replace hours as a whole; all that go by them follow at once',
    patch: PATCHES.HoursPatch,
    patchExample: { holidays: ['2026-12-24', '2026-12-25', '2026-12-26'] },
  }),
  remove,
];
