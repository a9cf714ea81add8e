/**
 * Sends the calendar of hours to monitors and scenarios, at a limited pace. If time runs out, housekeeping notifies the
 * rest.
 */
import { isId } from '../../domain/definitions/ids';
import type { ServiceHours } from '../../models/maintenance/hours';
import { isUnavailable } from '../../platform/errors';
import { interleave, runAtPace } from '../../platform/paced';
import { findUsers } from '../lists/find-users';
import { readEntries } from './account-calendar';
import { readCalendar } from './hours-calendar';
import { buildPlan } from './maintenance-plans';
import { type NotifyNeeds, notifyWithin, PACE } from './notify-workflows';

const DUE_MAX = 1_000;

/** Updates the calendar of the hours, and notifies the workflow of everything that uses them. Safe to repeat. */
async function notifyHours(
  needs: NotifyNeeds,
  hours: ServiceHours,
  signal: AbortSignal,
): Promise<void> {
  const { stores, clock, gateway, sleep } = needs;
  const { accountId, key } = hours;
  const asOfMs = clock.now();
  const calendar = readCalendar(hours, asOfMs);
  // The new calendar is stored first, because plans are made from stored calendars.
  await stores.hours.storeCalendar(hours, { ...calendar, dueAtMs: asOfMs });
  const entries = await readEntries(stores, accountId);
  const users = [
    ...(await findUsers(stores.monitors, accountId, { hours: key })),
    ...(await findUsers(stores.scenarios, accountId, { hours: key })),
  ];
  await runAtPace(users, { ...PACE, sleep, signal }, (resource) =>
    gateway.planMaintenance(
      isId('scenario', resource.id) ? 'scenario' : 'monitor',
      resource.id,
      buildPlan(entries, resource, asOfMs),
    ),
  );
  // If the hours have changed in the meantime, this write has no effect, because the other change notifies the
  // workflows itself.
  await stores.hours.storeCalendar(hours, calendar);
}

/** Like notifyHours, but stops after `withinMs` and leaves the rest to housekeeping. */
export function notifyHoursSoon(
  needs: NotifyNeeds,
  hours: ServiceHours,
  withinMs: number,
): Promise<void> {
  return notifyWithin(withinMs, (signal) => notifyHours(needs, hours, signal));
}

/**
 * Notifies the workflows of all due hours, and returns the number of due hours. If some of them fail, the others are
 * still processed.
 */
export async function notifyDueHours(needs: NotifyNeeds, signal: AbortSignal): Promise<number> {
  const due = await needs.stores.hours.listDue(needs.clock.now(), DUE_MAX);
  const failures: unknown[] = [];
  for (const hours of interleave(due, ({ accountId }) => accountId)) {
    signal.throwIfAborted();
    try {
      await notifyHours(needs, hours, signal);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return due.length;
}
