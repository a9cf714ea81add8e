/**
 * Sends maintenance windows to monitors and scenarios, at a limited pace. If time runs out, housekeeping notifies the
 * rest.
 */
import type { MaintenancePlan, MaintenanceTarget } from '../../contracts/maintenance';
import type { Targeted } from '../../domain/definitions/is-targeted';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import type { Resource, ResourceListQuery, ResourceStore } from '../../models/resources/resource';
import { isUnavailable } from '../../platform/errors';
import { interleave, runAtPace } from '../../platform/paced';
import type { Dependencies } from '../ports/dependencies';
import { readEntries } from './account-calendar';
import { withCalendar } from './maintenance-calendar';
import { buildPlan } from './maintenance-plans';

export type NotifyNeeds = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'sleep'>;

const PAGE_SIZE = 200;
export const PACE = { perSecond: 300, atOnce: 12 };
const DUE_MAX = 1_000;

type WindowTarget = Targeted & { readonly kind: 'monitor' | 'scenario' };

/** Returns all resources that the targets match, each once. */
async function findTouched(
  { stores }: NotifyNeeds,
  accountId: string,
  targets: readonly MaintenanceTarget[],
): Promise<readonly WindowTarget[]> {
  const queries = targets.flatMap(buildQueries);
  const found = new Map<string, WindowTarget>();
  for (const query of queries) {
    for (const resource of await readAll(stores.monitors, accountId, query))
      found.set(resource.id, { ...resource, kind: 'monitor' });
    for (const resource of await readAll(stores.scenarios, accountId, query))
      found.set(resource.id, { ...resource, kind: 'scenario' });
  }
  return [...found.values()];
}

type Query = Pick<ResourceListQuery, 'filter' | 'ids'>;

function buildQueries({ ids, tags, groups, all }: MaintenanceTarget): readonly Query[] {
  if (all) return [{}];
  return [
    ...(ids.length === 0 ? [] : [{ ids }]),
    ...tags.map((tag) => ({ filter: { tag } })),
    ...groups.map((group) => ({ filter: { group } })),
  ];
}

async function readAll<Entity extends Resource>(
  store: ResourceStore<Entity>,
  accountId: string,
  query: Query,
): Promise<readonly Targeted[]> {
  const found: Targeted[] = [];
  for (let beforeId: string | null = null; ; ) {
    const page = await store.list(accountId, { ...query, limit: PAGE_SIZE, beforeId });
    for (const { id, tags, groupKey, hours, outside, state } of page.items)
      if (state !== 'deleting') found.push({ id, tags, groupKey, hours, outside });
    beforeId = page.items.at(-1)?.id ?? null;
    if (!page.hasMore) return found;
  }
}

/**
 * Updates the calendar and notifies the workflows of all resources that the window affects now or affected before its
 * last change. Safe to repeat. Throws if Temporal or the database is unavailable, or if the signal is aborted. The
 * window then stays due.
 */
async function notifyWindow(
  needs: NotifyNeeds,
  { accountId, id }: Pick<MaintenanceWindow, 'accountId' | 'id'>,
  signal: AbortSignal,
): Promise<void> {
  const { stores, clock } = needs;
  const before = await stores.maintenanceWindows.findAny(accountId, id);
  if (before === null) return;
  const asOfMs = clock.now();
  const window = withCalendar(before, asOfMs);
  // The new calendar is stored first, because plans are made from stored calendars.
  const dated = { ...window, sequence: before.sequence + 1, dueAtMs: asOfMs };
  if (!(await stores.maintenanceWindows.replace(accountId, dated, before.sequence))) return;
  const entries = await readEntries(stores, accountId);
  const touched = await findTouched(needs, accountId, [...before.pendingTargets, before.target]);
  const pace = { ...PACE, sleep: needs.sleep, signal };
  await runAtPace(touched, pace, (resource) =>
    notifyOne(needs, resource, buildPlan(entries, resource, asOfMs)),
  );
  // If the sequence has changed in the meantime, the write below has no effect, because the other change notifies the
  // workflows itself.
  if (before.isDeleted) await stores.maintenanceWindows.remove(accountId, id, dated.sequence);
  else {
    const notified = { ...window, pendingTargets: [], sequence: dated.sequence + 1 };
    await stores.maintenanceWindows.replace(accountId, notified, dated.sequence);
  }
}

function notifyOne(
  { gateway }: NotifyNeeds,
  { kind, id }: WindowTarget,
  plan: MaintenancePlan,
): Promise<void> {
  return gateway.planMaintenance(kind, id, plan);
}

/** Like notifyWindow, but stops after `withinMs` and leaves the rest to housekeeping. */
export function notifySoon(
  needs: NotifyNeeds,
  window: Pick<MaintenanceWindow, 'accountId' | 'id'>,
  withinMs: number,
): Promise<void> {
  return notifyWithin(withinMs, (signal) => notifyWindow(needs, window, signal));
}

/**
 * Runs `notify`. Resolves after `withinMs` at the latest. Also resolves if Temporal or the database is unavailable, and
 * rejects with any other error.
 */
export async function notifyWithin(
  withinMs: number,
  notify: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const signal = AbortSignal.timeout(withinMs);
  const expired = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const notifying = notify(signal).catch((error: unknown) => {
    if (!isUnavailable(error) && !signal.aborted) throw error;
  });
  await Promise.race([notifying, expired]);
}

/**
 * Notifies the workflows of all due windows, and returns the number of due windows. If some of them fail, the others
 * are still processed.
 */
export async function notifyDueWindows(needs: NotifyNeeds, signal: AbortSignal): Promise<number> {
  const due = await needs.stores.maintenanceWindows.listDue(needs.clock.now(), DUE_MAX);
  const failures: unknown[] = [];
  for (const window of interleave(due, ({ accountId }) => accountId)) {
    signal.throwIfAborted();
    try {
      await notifyWindow(needs, window, signal);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return due.length;
}
