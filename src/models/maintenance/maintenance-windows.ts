/** Maintenance windows of accounts, with what is next of each and who has yet to hear of it. */

import type { Model } from 'mongoose';
import { defineCollection } from '../store/define-schema';
import { atMost } from '../store/filters';
import { readPage } from '../store/pages';
import { keyField, refuseTakenKey, type Stored, uniqueKeyIndex } from '../store/versioned-store';
import type { MaintenanceWindow, MaintenanceWindowStore } from './maintenance-window';

export type MaintenanceWindowDocument = Stored<MaintenanceWindow>;

/** More than an account may have. */
const WINDOWS_MAX = 500;

const target = { _id: false, ids: [String], tags: [String], groups: [String], all: Boolean };

export const maintenanceWindowCollection = defineCollection<MaintenanceWindowDocument>(
  'maintenanceWindows',
  {
    accountId: String,
    version: Number,
    sequence: Number,
    name: String,
    key: String,
    managedBy: String,
    mode: String,
    startsAtMs: Number,
    durationMinutes: Number,
    rrule: String,
    timeZone: String,
    target,
    createdAtMs: Number,
    updatedAtMs: Number,
    effectiveFromMs: Number,
    endedAtMs: Number,
    isDeleted: Boolean,
    pendingTargets: [target],
    occurrences: [{ _id: false, fromMs: Number, toMs: Number }],
    dueAtMs: Number,
  },
  {
    indexes: [
      { key: { accountId: 1, isDeleted: 1, _id: -1 } },
      { key: { dueAtMs: 1 } },
      uniqueKeyIndex,
    ],
  },
);

export function createMaintenanceWindowStore(
  windows: Model<MaintenanceWindowDocument>,
): MaintenanceWindowStore {
  const findOne = async (filter: {
    readonly _id: string;
    readonly accountId: string;
    readonly isDeleted?: boolean;
  }): Promise<MaintenanceWindow | null> => {
    const found = await windows.findOne(filter).lean<MaintenanceWindowDocument>();
    return found === null ? null : fromDocument(found);
  };
  return {
    async create(accountId, window) {
      await refuseTakenKey(() => windows.create([toDocument({ ...window, accountId })]));
    },
    find: (accountId, id) => findOne({ _id: id, accountId, isDeleted: false }),
    findAny: (accountId, id) => findOne({ _id: id, accountId }),
    page: (accountId, query) =>
      readPage(windows, { accountId, isDeleted: false }, { query, fromDocument }),
    count: (accountId) => windows.countDocuments({ accountId, isDeleted: false }),
    async listAll(accountId) {
      const found = await windows
        .find({ accountId, isDeleted: false })
        .limit(WINDOWS_MAX)
        .lean<MaintenanceWindowDocument[]>();
      return found.map(fromDocument);
    },
    async replace(accountId, window, expectedSequence) {
      const document = toDocument({ ...window, accountId });
      const outcome = await refuseTakenKey(() =>
        windows.replaceOne({ _id: window.id, accountId, sequence: expectedSequence }, document),
      );
      return outcome.matchedCount === 1;
    },
    async remove(accountId, id, sequence) {
      return (await windows.deleteOne({ _id: id, accountId, sequence })).deletedCount === 1;
    },
    async listDue(nowMs, limit) {
      const found = await windows
        .find({ dueAtMs: atMost(nowMs) })
        .sort({ dueAtMs: 1 })
        .limit(limit)
        .lean<MaintenanceWindowDocument[]>();
      return found.map(({ _id: id, accountId }) => ({ id, accountId }));
    },
  };
}

function toDocument({ id, key, ...window }: MaintenanceWindow): MaintenanceWindowDocument {
  return { ...window, ...keyField(key), _id: id };
}

function fromDocument({ _id: id, key, ...window }: MaintenanceWindowDocument): MaintenanceWindow {
  return { ...window, id, key: key ?? null };
}
