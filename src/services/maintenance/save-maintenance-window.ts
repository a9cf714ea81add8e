/**
 * Creates, changes, ends and deletes maintenance windows. A window is stored first. After that, the workflows of its
 * resources are notified. If time runs out, housekeeping notifies the rest.
 */

import type { MaintenanceTarget } from '../../contracts/maintenance';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import { isSameJson } from '../../platform/canonical-json';
import { AppError, type FieldProblem } from '../../platform/errors';
import {
  type MaintenanceNowBody,
  type MaintenanceWindowBody,
  type MaintenanceWindowChange,
  maintenanceWindowBody,
} from '../../schemas/maintenance';
import type { MaintenanceWindowResponse } from '../../schemas/responses/maintenance';
import { runExclusively } from '../accounts/plan-limits';
import { refuseProblems } from '../lists/field-problems';
import { runOrCompensate } from '../lists/run-or-compensate';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import {
  type Changer,
  createTypedObject,
  defineObjectType,
  findTypedObject,
  type ObjectType,
} from '../objects/object-type';
import type { AccountObject, OwnedChange } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { findCalendarProblems, withCalendar } from './maintenance-calendar';
import { listEffectiveOccurrences } from './maintenance-plans';
import { type NotifyNeeds, notifySoon } from './notify-workflows';
import { presentMaintenanceWindow } from './present-maintenance-window';

const WINDOWS_MAX = 100;
const MINUTE_MS = 60_000;
/**
 * How long a request may spend on notifying workflows. The rest of the request also needs time, and the whole request
 * must end within 3 s.
 */
const NOTIFY_WITHIN_MS = 2_000;

type Needs = NotifyNeeds & Pick<Dependencies, 'randomBytes'>;

/**
 * Maintenance windows as a resource. A change takes effect at once, even during the window. Resources that are targets
 * before or after the change are notified.
 */
export const MAINTENANCE_WINDOWS: ObjectType<
  MaintenanceWindow,
  MaintenanceWindowBody,
  MaintenanceWindowResponse
> = defineObjectType(
  {
    idKind: 'maintenance',
    name: 'maintenance window',
    list: 'maintenance-windows',
    names: 'maintenance windows',
    plural: 'maintenanceWindows',
    shape: maintenanceWindowBody,
    readOnlyFields: ['id', 'version', 'state', 'nextOccurrences', 'createdAt', 'updatedAt'],
    defaults: { rrule: null, timeZone: 'UTC' },
    getStore: ({ maintenanceWindows }) => ({
      ...maintenanceWindows,
      list: maintenanceWindows.page,
    }),
  },
  (needs) => {
    const nowMs = needs.clock.now();
    return {
      present: (window) => presentMaintenanceWindow(window, nowMs),
      listAll: needs.stores.maintenanceWindows.listAll,
      build: (made, body) => buildWindow(needs, made, body),
      change: (before, { startsAt, ...body }) => ({ ...before, ...body, startsAtMs: startsAt }),
      create: (window) => storeWindow(needs, window),
      replace: ({ body, ...change }) => changeMaintenanceWindow(needs, { ...change, change: body }),
      remove: async (change) => {
        await save(needs, change, (before) => ({ ...before, isDeleted: true, key: null }));
      },
      isOver: (window) => presentMaintenanceWindow(window, nowMs).state === 'over',
    };
  },
);

/** Builds the window. Throws `validation_failed` with every problem of the calendar and the target. */
async function buildWindow(
  needs: Needs,
  made: AccountObject,
  { startsAt, ...body }: MaintenanceWindowBody,
): Promise<MaintenanceWindow> {
  const nowMs = made.createdAtMs;
  const bare: MaintenanceWindow = {
    ...body,
    ...made,
    sequence: 1,
    startsAtMs: startsAt,
    effectiveFromMs: nowMs,
    endedAtMs: null,
    isDeleted: false,
    pendingTargets: [body.target],
    occurrences: [],
    dueAtMs: nowMs,
  };
  const target = { target: body.target, stored: null };
  refuseProblems([
    ...findCalendarProblems(bare, nowMs),
    ...(await findTargetProblems(needs, made.accountId, target)),
  ]);
  return { ...withCalendar(bare, nowMs), dueAtMs: nowMs };
}

/**
 * Stores the window. If the limit is reached, first removes the oldest window that is over. Throws `limit_reached` and
 * `key_taken`.
 */
async function storeWindow(needs: Needs, window: MaintenanceWindow): Promise<void> {
  const { maintenanceWindows } = needs.stores;
  const { accountId } = window;
  const store = () =>
    runExclusively(needs, { accountId, kind: 'maintenanceWindows' }, async () => {
      if ((await maintenanceWindows.count(accountId)) >= WINDOWS_MAX)
        await makeRoom(needs, accountId);
      await maintenanceWindows.create(accountId, window);
    });
  // The undo runs without the lock, so that other callers need not wait.
  await runOrCompensate(needs, store, () =>
    maintenanceWindows.remove(accountId, window.id, window.sequence),
  );
  await notifySoon(needs, window, NOTIFY_WITHIN_MS);
}

/**
 * Removes the oldest window that is over, because pipelines may start a window with every deployment. Throws
 * `limit_reached` if no window is over.
 */
async function makeRoom(needs: Needs, accountId: string): Promise<void> {
  const { maintenanceWindows } = needs.stores;
  const nowMs = needs.clock.now();
  await withOptimisticRetry(needs, async () => {
    const [oldest] = (await maintenanceWindows.listAll(accountId))
      .filter((window) => isOver(window, nowMs) && window.pendingTargets.length === 0)
      .toSorted((a, b) => a.startsAtMs - b.startsAtMs);
    if (oldest === undefined)
      throw new AppError(
        'limit_reached',
        `An account may have at most ${WINDOWS_MAX} maintenance windows.`,
      );
    const isRemoved = await maintenanceWindows.remove(accountId, oldest.id, oldest.sequence);
    return isRemoved ? undefined : OVERTAKEN;
  });
}

function isOver(window: MaintenanceWindow, nowMs: number): boolean {
  if (window.rrule !== null) return false;
  return (
    window.endedAtMs !== null || window.startsAtMs + window.durationMinutes * MINUTE_MS <= nowMs
  );
}

/** Creates a one-time window that starts now. */
export async function startMaintenance(
  needs: Dependencies,
  changer: Changer,
  { minutes, ...fields }: MaintenanceNowBody,
): Promise<MaintenanceWindowResponse> {
  const window = await createTypedObject(needs, MAINTENANCE_WINDOWS, changer, {
    ...fields,
    key: null,
    startsAt: needs.clock.now(),
    durationMinutes: minutes,
    rrule: null,
    timeZone: 'UTC',
  });
  return presentMaintenanceWindow(window, window.createdAtMs);
}

/** Changes the fields that are given. */
export async function changeMaintenanceWindow(
  needs: Needs,
  { change, ...request }: OwnedChange & { readonly change: MaintenanceWindowChange },
): Promise<MaintenanceWindow> {
  const { accountId, id } = request;
  if (change.target !== undefined) {
    const { target: stored } = await findTypedObject(needs, MAINTENANCE_WINDOWS, { accountId, id });
    refuseProblems(await findTargetProblems(needs, accountId, { target: change.target, stored }));
  }
  return save(needs, request, (before, nowMs) => {
    const changed = {
      ...before,
      name: change.name ?? before.name,
      key: change.key === undefined ? before.key : change.key,
      mode: change.mode ?? before.mode,
      startsAtMs: change.startsAt ?? before.startsAtMs,
      durationMinutes: change.durationMinutes ?? before.durationMinutes,
      rrule: change.rrule === undefined ? before.rrule : change.rrule,
      timeZone: change.timeZone ?? before.timeZone,
      target: change.target ?? before.target,
    };
    if (isSameJson(readCalendar(changed), readCalendar(before))) return changed;
    refuseProblems(findCalendarProblems(changed, nowMs));
    const [underWay] = listEffectiveOccurrences(before).filter(({ fromMs }) => fromMs <= nowMs);
    // A running occurrence keeps its start. No other time in the past becomes maintenance.
    const effectiveFromMs = Math.min(nowMs, underWay?.fromMs ?? nowMs);
    return { ...changed, effectiveFromMs, endedAtMs: null };
  });
}

/** Ends the running occurrence, if there is one. Later occurrences still take place. */
export async function endMaintenance(
  needs: Needs,
  request: OwnedChange,
): Promise<MaintenanceWindowResponse> {
  const window = await save(needs, request, (before, nowMs) => {
    const isUnderWay = listEffectiveOccurrences(before).some(
      ({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs,
    );
    return isUnderWay ? { ...before, endedAtMs: nowMs } : before;
  });
  return presentMaintenanceWindow(window, needs.clock.now());
}

/**
 * Saves a change. If another write changes the window at the same time, `accept` gets the newer version, and the change
 * is tried again unless `accept` throws.
 */
async function save(
  needs: Needs,
  { accountId, id, accept }: OwnedChange,
  change: (before: MaintenanceWindow, nowMs: number) => MaintenanceWindow,
): Promise<MaintenanceWindow> {
  const { stores, clock } = needs;
  return withOptimisticRetry(needs, async () => {
    const before = await findTypedObject(needs, MAINTENANCE_WINDOWS, { accountId, id });
    accept(before.version);
    const nowMs = clock.now();
    const changed = change(before, nowMs);
    if (isSameJson(changed, before)) return before;
    const window: MaintenanceWindow = {
      ...withCalendar(changed, nowMs),
      version: before.version + 1,
      sequence: before.sequence + 1,
      updatedAtMs: nowMs,
      pendingTargets: [...before.pendingTargets, before.target, changed.target],
      dueAtMs: nowMs,
    };
    const isWritten = await stores.maintenanceWindows.replace(accountId, window, before.sequence);
    if (!isWritten) return OVERTAKEN;
    await notifySoon(needs, window, NOTIFY_WITHIN_MS);
    return window;
  });
}

function readCalendar({ startsAtMs, durationMinutes, rrule, timeZone }: MaintenanceWindow) {
  return { startsAtMs, durationMinutes, rrule, timeZone };
}

interface NamedTarget {
  readonly target: MaintenanceTarget;
  /** The stored target. It may contain ids of deleted resources. */
  readonly stored: MaintenanceTarget | null;
}

/**
 * Finds problems of the target. Each id must exist, unless the stored target already names it. Tags and groups need not
 * exist.
 */
async function findTargetProblems(
  { stores }: Pick<Needs, 'stores'>,
  accountId: string,
  { target: { ids }, stored }: NamedTarget,
): Promise<readonly FieldProblem[]> {
  if (ids.length === 0) return [];
  const query = { ids, limit: ids.length, beforeId: null };
  const pages = await Promise.all([
    stores.monitors.list(accountId, query),
    stores.scenarios.list(accountId, query),
  ]);
  const known = new Set([
    ...pages.flatMap(({ items }) => items.map(({ id }) => id)),
    ...(stored?.ids ?? []),
  ]);
  const message = 'is not the id of a monitor or scenario';
  return ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `target.ids[${index}]`, code: 'invalid_value', message }],
  );
}
