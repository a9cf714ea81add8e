/**
 * Creates, changes, ends and deletes maintenance windows. Stores the window, then notifies its resources. Housekeeping
 * notifies the rest.
 */

import type { MaintenanceTarget } from '../../contracts/maintenance';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError, type FieldProblem } from '../../platform/errors';
import type {
  MaintenanceNowBody,
  MaintenanceWindowBody,
  MaintenanceWindowChange,
} from '../../schemas/maintenance';
import type { MaintenanceWindowResponse } from '../../schemas/responses/maintenance';
import { oneAtATime } from '../accounts/plan-limits';
import { refuseProblems } from '../lists/field-problems';
import { runOrCompensate } from '../lists/run-or-compensate';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import { findObject, newObject, type ObjectChange } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { findCalendarProblems, withCalendar } from './maintenance-calendar';
import { effectiveOccurrences } from './maintenance-plans';
import { type NotifyNeeds, notifySoon } from './notify-workflows';
import { maintenanceWindowKind, presentMaintenanceWindow } from './present-maintenance-window';

const WINDOWS_MAX = 100;
const MINUTE_MS = 60_000;
/**
 * Leaves time for the rest of a request. The whole request must end within 3 s, even if many workflows have to be
 * notified.
 */
const NOTIFY_WITHIN_MS = 2_000;

type Needs = NotifyNeeds & Pick<Dependencies, 'newId' | 'randomBytes'>;

/** Builds the window without storing it. Throws `validation_failed` with every problem at once. */
export async function newMaintenanceWindow(
  needs: Needs,
  accountId: string,
  body: MaintenanceWindowBody,
): Promise<MaintenanceWindow> {
  const { startsAt, ...fields } = body;
  const made = newObject(needs, maintenanceWindowKind(needs), accountId);
  const nowMs = made.createdAtMs;
  const bare: MaintenanceWindow = {
    ...fields,
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
  refuseProblems([
    ...findCalendarProblems(bare, nowMs),
    ...(await findTargetProblems(needs, accountId, { target: body.target, stored: null })),
  ]);
  return { ...withCalendar(bare, nowMs), dueAtMs: nowMs };
}

/** At the limit, the oldest window that is over is removed first. Throws `limit_reached` and `key_taken`. */
export async function storeMaintenanceWindow(
  needs: Needs,
  window: MaintenanceWindow,
): Promise<void> {
  const { maintenanceWindows } = needs.stores;
  const { accountId } = window;
  const store = () =>
    oneAtATime(needs, { accountId, kind: 'maintenanceWindows' }, async () => {
      if ((await maintenanceWindows.count(accountId)) >= WINDOWS_MAX)
        await makeRoom(needs, accountId);
      await maintenanceWindows.create(accountId, window);
    });
  // The undo runs outside the lock, so that other callers need not wait.
  await runOrCompensate(needs, store, () =>
    maintenanceWindows.remove(accountId, window.id, window.sequence),
  );
  await notifySoon(needs, window, NOTIFY_WITHIN_MS);
}

/** Pipelines may start a window with every deployment, so past windows are only history and can be removed. */
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

/** Throws `limit_reached`, or `validation_failed` with every problem of the calendar and target. */
export async function createMaintenanceWindow(
  needs: Needs,
  accountId: string,
  body: MaintenanceWindowBody,
): Promise<MaintenanceWindowResponse> {
  const window = await newMaintenanceWindow(needs, accountId, body);
  await storeMaintenanceWindow(needs, window);
  return presentMaintenanceWindow(window, window.createdAtMs);
}

/** Creates a one-time window that starts now. */
export function startMaintenance(
  needs: Needs,
  accountId: string,
  { minutes, ...fields }: MaintenanceNowBody,
): Promise<MaintenanceWindowResponse> {
  return createMaintenanceWindow(needs, accountId, {
    ...fields,
    key: null,
    startsAt: needs.clock.now(),
    durationMinutes: minutes,
    rrule: null,
    timeZone: 'UTC',
  });
}

/** Takes effect at once, even during the window. Also notifies resources that are no longer targets. */
export async function changeMaintenanceWindow(
  needs: Needs,
  accountId: string,
  { change, ...request }: ObjectChange & { readonly change: MaintenanceWindowChange },
): Promise<MaintenanceWindowResponse> {
  if (change.target !== undefined) {
    const kind = maintenanceWindowKind(needs);
    const { target: stored } = await findObject(kind, accountId, request.id);
    refuseProblems(await findTargetProblems(needs, accountId, { target: change.target, stored }));
  }
  return save(needs, accountId, request, (before, nowMs) => {
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
    if (canonicalJson(readCalendar(changed)) === canonicalJson(readCalendar(before)))
      return changed;
    refuseProblems(findCalendarProblems(changed, nowMs));
    const [underWay] = effectiveOccurrences(before).filter(({ fromMs }) => fromMs <= nowMs);
    // A running occurrence keeps its start. No other past time becomes maintenance.
    const effectiveFromMs = Math.min(nowMs, underWay?.fromMs ?? nowMs);
    return { ...changed, effectiveFromMs, endedAtMs: null };
  });
}

/** Ends the occurrence in progress, if any; later occurrences stay. */
export async function endMaintenance(
  needs: Needs,
  accountId: string,
  request: ObjectChange,
): Promise<MaintenanceWindowResponse> {
  return save(needs, accountId, request, (before, nowMs) => {
    const isUnderWay = effectiveOccurrences(before).some(
      ({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs,
    );
    return isUnderWay ? { ...before, endedAtMs: nowMs } : before;
  });
}

/** Also ends an occurrence in progress. */
export async function deleteMaintenanceWindow(
  needs: Needs,
  accountId: string,
  request: ObjectChange,
): Promise<void> {
  await save(needs, accountId, request, (before) => ({ ...before, isDeleted: true, key: null }));
}

/** Starts over after a concurrent write, unless `accept` refuses the newer version. */
async function save(
  needs: Needs,
  accountId: string,
  { id, accept }: ObjectChange,
  change: (before: MaintenanceWindow, nowMs: number) => MaintenanceWindow,
): Promise<MaintenanceWindowResponse> {
  const { stores, clock } = needs;
  return withOptimisticRetry(needs, async () => {
    const before = await findObject(maintenanceWindowKind(needs), accountId, id);
    accept(before.version);
    const nowMs = clock.now();
    const changed = change(before, nowMs);
    if (canonicalJson(changed) === canonicalJson(before))
      return presentMaintenanceWindow(before, nowMs);
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
    return presentMaintenanceWindow(window, nowMs);
  });
}

function readCalendar({ startsAtMs, durationMinutes, rrule, timeZone }: MaintenanceWindow) {
  return { startsAtMs, durationMinutes, rrule, timeZone };
}

interface NamedTarget {
  readonly target: MaintenanceTarget;
  /** The stored target. It may name deleted resources. */
  readonly stored: MaintenanceTarget | null;
}

/** Ids must exist or be stored already. Tags and groups need not exist. */
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
