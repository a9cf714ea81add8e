/** Creates, changes and deletes hours, and notifies the monitors and scenarios that use them. */
import { PAGES_MAX } from '../../contracts/status-pages';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import type { ServiceHours } from '../../models/maintenance/hours';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { HoursBody } from '../../schemas/hours/hours';
import type { HoursResponse } from '../../schemas/responses/maintenance';
import { POLICIES_MAX } from '../accounts/named-in-policies';
import { refuseProblems } from '../lists/field-problems';
import { findUsers } from '../lists/find-users';
import { toInstantOrNull } from '../lists/instants';
import {
  changeObject,
  newObject,
  type ObjectChange,
  type ObjectKind,
  presentObject,
  removeObject,
  storeObject,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { findHolidayProblems } from './holidays';
import { openingAt, readCalendar } from './hours-calendar';
import { notifyHoursSoon } from './notify-hours';
import type { NotifyNeeds } from './notify-workflows';

type Needs = NotifyNeeds & Pick<Dependencies, 'newId' | 'randomBytes'>;

export const HOURS_MAX = 100;
/**
 * Leaves time for the rest of a request. The whole request must end within 3 s, even if many workflows have to be
 * notified.
 */
const NOTIFY_WITHIN_MS = 2_000;

export const HOURS_READ_ONLY_FIELDS: readonly string[] = [
  'id',
  'version',
  'isOpen',
  'changesAt',
  'createdAt',
  'updatedAt',
];

/** All hours of a page are shown for the same time. */
export function hoursKind({
  stores,
  clock,
}: Pick<Needs, 'stores' | 'clock'>): ObjectKind<ServiceHours, HoursResponse> {
  const nowMs = clock.now();
  return {
    idKind: 'hours',
    name: 'hours',
    names: 'hours',
    list: 'hours',
    turn: 'hours',
    max: HOURS_MAX,
    store: stores.hours,
    present: (hours) => presentHours(hours, nowMs),
  };
}

function presentHours(
  { closures, dueAtMs: _due, ...hours }: ServiceHours,
  nowMs: number,
): HoursResponse {
  const { isOpen, changesAtMs } = openingAt({ closures }, nowMs);
  const { createdAt, updatedAt, ...shown } = presentObject(hours);
  return { ...shown, isOpen, changesAt: toInstantOrNull(changesAtMs), createdAt, updatedAt };
}

/** Throws `key_taken` and `limit_reached`. */
export async function createHours(
  needs: Needs,
  accountId: string,
  body: HoursBody,
): Promise<HoursResponse> {
  const hours = newHours(needs, accountId, body);
  await storeHours(needs, hours);
  return presentHours(hours, hours.createdAtMs);
}

/** Throws like createHours. Nothing uses new hours yet, so nothing is notified. */
export function storeHours(needs: Needs, hours: ServiceHours): Promise<void> {
  return storeObject(needs, hoursKind(needs), hours);
}

/** Builds the hours without storing them. */
export function newHours(needs: Needs, accountId: string, body: HoursBody): ServiceHours {
  const made = newObject(needs, hoursKind(needs), accountId);
  refuseProblems(findHolidayProblems(body.holidays, made.createdAtMs));
  return { ...body, ...made, ...readCalendar(body, made.createdAtMs) };
}

interface Replacement extends ObjectChange {
  readonly body: HoursBody;
}

/** Takes effect at once for everything that uses the hours. */
export async function replaceHours(
  needs: Needs,
  accountId: string,
  { body, ...change }: Replacement,
): Promise<HoursResponse> {
  let isChanged = false;
  const replaced = await changeObject(
    needs,
    hoursKind(needs),
    { ...change, accountId },
    (before) => {
      const changed = changedHours(needs, before, body);
      isChanged = changed !== before;
      return changed;
    },
  );
  if (isChanged) await notifyHoursSoon(needs, replaced, NOTIFY_WITHIN_MS);
  return presentHours(replaced, needs.clock.now());
}

/** Returns `before` if nothing changes, otherwise changed hours that are due at once. */
export function changedHours(
  { clock }: Pick<Needs, 'clock'>,
  before: ServiceHours,
  body: HoursBody,
): ServiceHours {
  refuseOtherKey(before, body.key);
  const changed = { ...before, ...body };
  if (canonicalJson(changed) === canonicalJson(before)) return before;
  const nowMs = clock.now();
  refuseProblems(findHolidayProblems(body.holidays, nowMs));
  return { ...changed, ...readCalendar(changed, nowMs), dueAtMs: nowMs };
}

/** The key cannot change, because monitors and scenarios refer to it. */
function refuseOtherKey({ key }: ServiceHours, wanted: string): void {
  if (wanted === key) return;
  const message = `cannot be changed from ${key}; create other hours instead`;
  refuseProblems([{ path: 'key', code: 'invalid_value', message }]);
}

/** Throws `in_use` with the objects that use the hours. */
export function deleteHours(needs: Needs, accountId: string, change: ObjectChange): Promise<void> {
  return removeObject(needs, hoursKind(needs), { ...change, accountId }, ({ key }) =>
    refuseUsed(needs, accountId, key),
  );
}

const NAMED_MAX = 20;

async function refuseUsed({ stores }: Needs, accountId: string, key: string): Promise<void> {
  const users = [
    ...(await findUsers(stores.monitors, accountId, { hours: key })),
    ...(await findUsers(stores.scenarios, accountId, { hours: key })),
  ];
  const policies = await findPolicies(stores, accountId, key);
  const pages = await findPages(stores, accountId, key);
  const all = [...users, ...policies, ...pages];
  if (all.length === 0) return;
  const errors = all.slice(0, NAMED_MAX).map(({ id, name }) => ({
    path: id,
    code: 'in_use',
    message: `is used by “${name}”`,
  }));
  const message = 'Checks, alert policies or status pages use these hours. Change them first.';
  throw new AppError('in_use', message, { errors });
}

async function findPages(
  { statusPages }: Needs['stores'],
  accountId: string,
  key: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { items } = await statusPages.list(accountId, { limit: PAGES_MAX, beforeId: null });
  return items.filter(({ hours }) => hours === key).map(({ id, title }) => ({ id, name: title }));
}

/** Policies with a step that uses the hours. */
async function findPolicies(
  { alertPolicies }: Needs['stores'],
  accountId: string,
  key: string,
): Promise<readonly Pick<AlertPolicy, 'id' | 'name'>[]> {
  const query = { limit: POLICIES_MAX, beforeId: null };
  const { items } = await alertPolicies.list(accountId, query);
  return items.filter(({ steps }) => steps.some(({ hours }) => hours === key));
}
