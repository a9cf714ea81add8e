/** Maintenance windows of accounts, with their next occurrences. */

import type { Model } from 'mongoose';
import type { MaintenanceMode, MaintenanceTarget, Occurrence } from '../../contracts/maintenance';
import { defineCollection } from '../store/define-schema';
import { readAll } from '../store/entities';
import { atMost } from '../store/filters';
import { type ListQuery, type Page, readPage } from '../store/pages';
import { refuseTakenKey, type Stored, toKeyField, uniqueKeyIndex } from '../store/versioned-store';

export interface MaintenanceWindow {
  readonly id: string;
  readonly accountId: string;
  /** Grows with every change by users. It is the ETag of responses. */
  readonly version: number;
  /** Grows with every write, including writes by the service. */
  readonly sequence: number;
  readonly name: string;
  readonly key: string | null;
  /** The `apply` set (`set:` in the file) that created the window. Absent if the window was created in another way. */
  readonly managedBy?: string;
  readonly mode: MaintenanceMode;
  readonly startsAtMs: number;
  readonly durationMinutes: number;
  /** The recurrence rule without `RRULE:`. null means that the window occurs once. */
  readonly rrule: string | null;
  readonly timeZone: string;
  readonly target: MaintenanceTarget;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The window has no effect before this time, because a new window must not change the past. */
  readonly effectiveFromMs: number;
  /** When an occurrence was ended early. null means never. */
  readonly endedAtMs: number | null;
  /**
   * True if users have deleted the window. A deleted window is kept until the workflows of its targets have been
   * notified.
   */
  readonly isDeleted: boolean;
  /** Targets whose workflows must still be notified of the window's current state. */
  readonly pendingTargets: readonly MaintenanceTarget[];
  /** The next occurrences, as computed when the calendar was last evaluated. */
  readonly occurrences: readonly Occurrence[];
  /**
   * When the workflows of the targets must be notified again. null means that no notification is due until the window
   * changes.
   */
  readonly dueAtMs: number | null;
}

/** Stores maintenance windows. `find`, `page` and `count` leave out deleted ones. */
export interface MaintenanceWindowStore {
  /** Creates the window. Throws `key_taken` if another window has the key. */
  readonly create: (accountId: string, window: MaintenanceWindow) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<MaintenanceWindow | null>;
  /** Returns a page of windows, newest first. */
  readonly page: (accountId: string, query: ListQuery) => Promise<Page<MaintenanceWindow>>;
  readonly count: (accountId: string) => Promise<number>;
  /** Lists the account's windows, without deleted ones. */
  readonly listAll: (accountId: string) => Promise<readonly MaintenanceWindow[]>;
  /** Like find, but includes deleted windows. */
  readonly findAny: (accountId: string, id: string) => Promise<MaintenanceWindow | null>;
  /** Replaces the window if its stored sequence is still `expectedSequence`. Returns false otherwise. */
  readonly replace: (
    accountId: string,
    window: MaintenanceWindow,
    expectedSequence: number,
  ) => Promise<boolean>;
  /** Removes the window if its stored sequence is still `expectedSequence`. Returns false otherwise. */
  readonly remove: (accountId: string, id: string, expectedSequence: number) => Promise<boolean>;
  /** Lists the windows of all accounts that are due. For housekeeping. */
  readonly listDue: (
    nowMs: number,
    limit: number,
  ) => Promise<readonly Pick<MaintenanceWindow, 'id' | 'accountId'>[]>;
}

export type MaintenanceWindowDocument = Stored<MaintenanceWindow>;

/** Maximum number of windows that are read. An account may have fewer. */
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
    listAll: (accountId) =>
      readAll(
        windows
          .find({ accountId, isDeleted: false })
          .limit(WINDOWS_MAX)
          .lean<MaintenanceWindowDocument[]>(),
        fromDocument,
      ),
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
  return { ...window, ...toKeyField(key), _id: id };
}

function fromDocument({ _id: id, key, ...window }: MaintenanceWindowDocument): MaintenanceWindow {
  return { ...window, id, key: key ?? null };
}
