/** The routes of the service hours of monitors and scenarios (docs/maintenance.md). */
import { hours, hoursPage } from '../../../schemas/responses/maintenance';
import { HOURS } from '../../../services/maintenance/hours';
import { PATCHES } from '../../openapi/named-shapes';
import { objectRoutes, replacementRoutes } from '../../routing/object-routes';
import type { Route } from '../../routing/route';

const DOC = {
  names: {
    tag: 'Maintenance',
    path: '/v1/hours',
    param: 'hoursId',
    operand: 'Hours',
    operands: 'AllHours',
    audit: 'hours',
    the: 'The hours',
    one: 'hours',
    many: 'hours',
    guide: 'docs/maintenance.md#hours',
  },
  schema: hours,
  page: hoursPage,
  descriptions: {
    create:
      'Creates hours: periods of the week with a time zone and holidays. They have no effect before a check, a policy or a status page names them.',
    read: 'Returns the hours, whether they are open now (`isOpen`), and when this changes (`changesAt`).',
    remove: 'Deletes the hours. While something uses them, the response is 409 `in_use`.',
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

const { list, create, read, remove } = objectRoutes(HOURS, DOC);

export const hoursRoutes: readonly Route[] = [
  list,
  create,
  read,
  ...replacementRoutes(HOURS, DOC, {
    effect: 'Everything that uses the hours follows at once. The key cannot be changed.',
    patch: PATCHES.HoursPatch,
    patchExample: { holidays: ['2026-12-24', '2026-12-25', '2026-12-26'] },
  }),
  remove,
];
