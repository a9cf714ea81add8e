/** Service hours of monitors and scenarios (docs/maintenance.md). */
import { type HoursBody, hoursBody } from '../../../schemas/hours/hours';
import { pageQuery } from '../../../schemas/queries';
import { hours, hoursPage } from '../../../schemas/responses/maintenance';
import {
  createHours,
  deleteHours,
  HOURS_READ_ONLY_FIELDS,
  hoursKind,
  replaceHours,
} from '../../../services/maintenance/hours';
import { PATCHES } from '../../openapi/named-shapes';
import { replacementShape } from '../../routing/replace-body';
import {
  createRoute,
  createVerbs,
  deleteRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Reading,
  type Replacing,
  replaceRoute,
} from '../../routing/resource-routes';
import type { Route } from '../../routing/route';

const HOURS = {
  tag: 'Maintenance',
  path: '/v1/hours',
  param: 'hoursId',
  operand: 'Hours',
  operands: 'AllHours',
  audit: 'hours',
  the: 'The hours',
} as const;

const EXAMPLE = {
  key: 'shop',
  name: 'Opening hours of the shop',
  timeZone: 'Europe/Berlin',
  weekly: [
    { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' },
    { days: ['sat'], from: '10:00', to: '14:00' },
  ],
  holidays: ['2026-12-25', '2026-12-26'],
};

const { list, read } = createVerbs(hoursKind);

const READ: Reading<typeof hours> = {
  summary: 'Read hours, whether they are open now, and until when',
  schema: hours,
  read,
};

const REPLACEMENT: Replacing<HoursBody, typeof hours> = {
  ...READ,
  summary: 'Replace hours as a whole; all that go by them follow at once',
  body: replacementShape(hoursBody, HOURS_READ_ONLY_FIELDS),
  example: EXAMPLE,
  replace: ({ services, principal, ...change }, body) =>
    replaceHours(services, principal.accountId, { ...change, body }),
};

export const hoursRoutes: readonly Route[] = [
  listRoute(HOURS, {
    summary: 'List hours, newest first',
    query: pageQuery,
    schema: hoursPage,
    list,
  }),
  createRoute(HOURS, {
    summary: 'Create hours: times of the week outside of which nobody is notified',
    body: hoursBody,
    schema: hours,
    codes: ['key_taken', 'limit_reached'],
    example: EXAMPLE,
    create: ({ services, principal }, body) => createHours(services, principal.accountId, body),
  }),
  getRoute(HOURS, READ),
  replaceRoute(HOURS, REPLACEMENT),
  patchRoute(HOURS, REPLACEMENT, {
    patch: PATCHES.HoursPatch,
    example: { holidays: ['2026-12-24', '2026-12-25', '2026-12-26'] },
  }),
  deleteRoute(HOURS, {
    summary: 'Delete hours that nothing goes by any more',
    codes: ['in_use'],
    remove: ({ services, principal, ...change }) =>
      deleteHours(services, principal.accountId, change),
  }),
];
