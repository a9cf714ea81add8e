/** Service hours as a resource. Hours cannot be removed while other objects use them. */
import { PAGES_MAX } from '../../contracts/status-pages';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import type { ServiceHours } from '../../models/maintenance/hours';
import { isSameJson } from '../../platform/canonical-json';
import { type HoursBody, hoursBody } from '../../schemas/hours/hours';
import type { HoursResponse } from '../../schemas/responses/maintenance';
import { POLICIES_MAX } from '../accounts/named-in-policies';
import { refuseProblems } from '../lists/field-problems';
import { findUsers } from '../lists/find-users';
import { toInstantOrNull } from '../lists/instants';
import {
  defineObjectType,
  type ObjectType,
  refuseOtherKey,
  refuseUsed,
} from '../objects/object-type';
import { presentObject } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { findHolidayProblems } from './holidays';
import { findOpeningAt, readCalendar } from './hours-calendar';
import { notifyHoursSoon } from './notify-hours';

/**
 * How long a request may spend on notifying workflows. The rest of the request also needs time, and the whole request
 * must end within 3 s.
 */
const NOTIFY_WITHIN_MS = 2_000;

/**
 * Service hours. A change takes effect at once for everything that uses the hours. All hours on a page of a list show
 * their state at the same instant.
 */
export const HOURS: ObjectType<ServiceHours, HoursBody, HoursResponse> = defineObjectType(
  {
    idKind: 'hours',
    name: 'hours',
    names: 'hours',
    list: 'hours',
    plural: 'hours',
    max: 100,
    shape: hoursBody,
    readOnlyFields: ['id', 'version', 'isOpen', 'changesAt', 'createdAt', 'updatedAt'],
    defaults: { timeZone: 'UTC', holidays: [] },
    getStore: ({ hours }) => hours,
  },
  (needs) => {
    const nowMs = needs.clock.now();
    return {
      present: (hours) => presentHours(hours, nowMs),
      listAll: needs.stores.hours.listAll,
      build: (made, body) => {
        refuseProblems(findHolidayProblems(body.holidays, made.createdAtMs));
        return { ...body, ...made, ...readCalendar(body, made.createdAtMs) };
      },
      change: (before, body) => changeHours(before, body, needs.clock.now()),
      afterChange: (hours) => notifyHoursSoon(needs, hours, NOTIFY_WITHIN_MS),
      buildEntry: ({ key, name, timeZone, weekly, holidays }) => {
        return { key, name, timeZone, weekly, holidays };
      },
      refuseRemoval: (hours) => refuseUsedHours(needs, hours),
    };
  },
);

function presentHours(
  { closures, dueAtMs: _due, ...hours }: ServiceHours,
  nowMs: number,
): HoursResponse {
  const { isOpen, changesAtMs } = findOpeningAt({ closures }, nowMs);
  const { createdAt, updatedAt, ...shown } = presentObject(hours);
  return { ...shown, isOpen, changesAt: toInstantOrNull(changesAtMs), createdAt, updatedAt };
}

/** Changes hours. Their calendar becomes due at once, so that workflows are notified. */
function changeHours(before: ServiceHours, body: HoursBody, nowMs: number): ServiceHours {
  refuseOtherKey(before.key, body.key, 'other hours');
  const changed = { ...before, ...body };
  if (isSameJson(changed, before)) return before;
  refuseProblems(findHolidayProblems(body.holidays, nowMs));
  return { ...changed, ...readCalendar(changed, nowMs), dueAtMs: nowMs };
}

async function refuseUsedHours(
  { stores }: Pick<Dependencies, 'stores'>,
  { accountId, key }: ServiceHours,
): Promise<void> {
  const users = [
    ...(await findUsers(stores.monitors, accountId, { hours: key })),
    ...(await findUsers(stores.scenarios, accountId, { hours: key })),
    ...(await findPolicies(stores, accountId, key)),
    ...(await findPages(stores, accountId, key)),
  ];
  refuseUsed(users, 'Checks, alert policies or status pages use these hours. Change them first.');
}

async function findPages(
  { statusPages }: Dependencies['stores'],
  accountId: string,
  key: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { items } = await statusPages.list(accountId, { limit: PAGES_MAX, beforeId: null });
  return items.filter(({ hours }) => hours === key).map(({ id, title }) => ({ id, name: title }));
}

/** Finds the policies with a step that uses the hours. */
async function findPolicies(
  { alertPolicies }: Dependencies['stores'],
  accountId: string,
  key: string,
): Promise<readonly Pick<AlertPolicy, 'id' | 'name'>[]> {
  const query = { limit: POLICIES_MAX, beforeId: null };
  const { items } = await alertPolicies.list(accountId, query);
  return items.filter(({ steps }) => steps.some(({ hours }) => hours === key));
}
