/** Maintenance windows of a set. A past window stays as it is and is not created again. */

import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
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
import { anyVersion } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import {
  type ApplyKind,
  type Entry,
  type Existing,
  type ObjectPlan,
  toExisting,
  type Wish,
} from './apply-kind';

const DEFAULTS: Entry = { rrule: null, timeZone: 'UTC' };

export function windowKind(accountId: string, needs: Dependencies): ApplyKind {
  const planNew = async (body: MaintenanceWindowBody, set: string): Promise<ObjectPlan> => {
    const made = await newMaintenanceWindow(needs, accountId, body);
    const window: MaintenanceWindow = { ...made, managedBy: set };
    return {
      name: window.name,
      before: null,
      after: buildView(window),
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
    return {
      name: change.name,
      before: view,
      after: { ...change, startsAt: toInstant(body.startsAt) },
      carryOut: async () => {
        await changeMaintenanceWindow(needs, accountId, { id, change, accept: anyVersion });
        return { id };
      },
    };
  };

  return {
    list: 'maintenanceWindows',
    async load() {
      const windows = await needs.stores.maintenanceWindows.listAll(accountId);
      const nowMs = needs.clock.now();
      return windows.map((window) => ({
        ...toExisting(window, buildView(window)),
        isOver: presentMaintenanceWindow(window, nowMs).state === 'over',
      }));
    },
    plan: async ({ entry, existing, set }: Wish) => {
      const body = readEntry(entry, existing);
      return existing === null ? planNew(body, set) : planChange(body, existing);
    },
    remove: (id) => deleteMaintenanceWindow(needs, accountId, { id, accept: anyVersion }),
    readDefaults: async () => DEFAULTS,
  };
}

function buildView(window: MaintenanceWindow): Entry {
  const { name, key, mode, startsAtMs, durationMinutes, rrule, timeZone, target } = window;
  const startsAt = toInstant(startsAtMs);
  return { name, key, mode, startsAt, durationMinutes, rrule, timeZone, target };
}

function readEntry({ id: _id, ...sent }: Entry, existing: Existing | null): MaintenanceWindowBody {
  return readChange(maintenanceWindowBody, { sent, stored: existing?.view });
}
