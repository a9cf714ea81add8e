/** Maintenance windows of a set. One that is over stays as it is, and is not made anew. */

import type { MaintenanceWindow } from '../../models/maintenance/maintenance-window';
import { type MaintenanceWindowBody, maintenanceWindowBody } from '../../schemas/maintenance';
import { toInstant } from '../lists/instants';
import { readChange } from '../lists/read-change';
import { presentMaintenanceWindow } from '../maintenance/present-maintenance-window';
import {
  changeMaintenanceWindow,
  deleteMaintenanceWindow,
  newMaintenanceWindow,
  storeMaintenanceWindow,
} from '../maintenance/save-maintenance-window';
import type { Dependencies } from '../ports/dependencies';
import type { ApplyKind, Entry, Existing, ObjectPlan, Wish } from './apply-kind';

const DEFAULTS: Entry = { rrule: null, timeZone: 'UTC' };

export function windowKind(accountId: string, needs: Dependencies): ApplyKind {
  const accept = (): void => undefined;

  const planNew = async (body: MaintenanceWindowBody, set: string): Promise<ObjectPlan> => {
    const made = await newMaintenanceWindow(needs, accountId, body);
    const window: MaintenanceWindow = { ...made, managedBy: set };
    return {
      ...planOf(viewOf(window)),
      before: null,
      carryOut: async () => {
        await storeMaintenanceWindow(needs, window);
        return { id: window.id };
      },
    };
  };

  const planChange = async (
    body: MaintenanceWindowBody,
    { id, key, view }: Existing,
  ): Promise<ObjectPlan> => {
    const change = { ...body, key: body.key ?? key };
    const after = { ...change, startsAt: toInstant(body.startsAt) };
    return {
      ...planOf(after),
      before: view,
      carryOut: async () => {
        await changeMaintenanceWindow(needs, accountId, { id, change, accept });
        return { id };
      },
    };
  };

  return {
    list: 'maintenanceWindows',
    async load() {
      const windows = await needs.stores.maintenanceWindows.listAll(accountId);
      return windows.map((window) => existingOf(window, needs.clock.now()));
    },
    plan: async ({ entry, existing, set }: Wish) => {
      const body = readEntry(entry, existing);
      return existing === null ? planNew(body, set) : planChange(body, existing);
    },
    remove: (id) => deleteMaintenanceWindow(needs, accountId, { id, accept }),
    readDefaults: async () => DEFAULTS,
  };
}

function planOf(after: Entry) {
  return { name: String(after['name']), after, hidden: [], secretNames: [] };
}

function viewOf(window: MaintenanceWindow): Entry {
  const { name, key, mode, startsAtMs, durationMinutes, rrule, timeZone, target } = window;
  const startsAt = toInstant(startsAtMs);
  return { name, key, mode, startsAt, durationMinutes, rrule, timeZone, target };
}

function existingOf(window: MaintenanceWindow, nowMs: number): Existing {
  const { id, key, name, managedBy } = window;
  const isOver = presentMaintenanceWindow(window, nowMs).state === 'over';
  return { id, key, name, managedBy: managedBy ?? null, view: viewOf(window), isOver };
}

function readEntry({ id: _id, ...sent }: Entry, existing: Existing | null): MaintenanceWindowBody {
  return readChange(maintenanceWindowBody, { sent, stored: existing?.view });
}
