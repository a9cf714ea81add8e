/** Maintenance windows as use cases see them. Shapes only. */

import type { MaintenanceMode, MaintenanceTarget, Occurrence } from '../../contracts/maintenance';
import type { ListQuery, Page } from '../store/list-query';

export interface MaintenanceWindow {
  readonly id: string;
  readonly accountId: string;
  /** Grows with every change that people make; the ETag. */
  readonly version: number;
  /** Grows with every write. */
  readonly sequence: number;
  readonly name: string;
  readonly key: string | null;
  /** The set under which apply made it; absent for what was made otherwise. */
  readonly managedBy?: string;
  readonly mode: MaintenanceMode;
  readonly startsAtMs: number;
  readonly durationMinutes: number;
  /** Without `RRULE:`; null: once. */
  readonly rrule: string | null;
  readonly timeZone: string;
  readonly target: MaintenanceTarget;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Nothing before this instant is maintenance: nobody's past is changed by a new window. */
  readonly effectiveFromMs: number;
  /** What was under way at this instant ended with it; null: it was never ended early. */
  readonly endedAtMs: number | null;
  /** Deleted, and kept until the workflows that know of it were notified. */
  readonly isDeleted: boolean;
  /** Targets still to be notified of the window as it is now. */
  readonly pendingTargets: readonly MaintenanceTarget[];
  /** The next occurrences, as of the last look at the calendar. */
  readonly occurrences: readonly Occurrence[];
  /** When the targets are to be notified again; null: never, as it is now. */
  readonly dueAtMs: number | null;
}

/** Those that are deleted are in no answer of `find`, `page` and `count`. */
export interface MaintenanceWindowStore {
  /** Throws `key_taken`. */
  readonly create: (accountId: string, window: MaintenanceWindow) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<MaintenanceWindow | null>;
  /** Newest first. */
  readonly page: (accountId: string, query: ListQuery) => Promise<Page<MaintenanceWindow>>;
  readonly count: (accountId: string) => Promise<number>;
  /** All of the account that are not deleted; there are few. */
  readonly listAll: (accountId: string) => Promise<readonly MaintenanceWindow[]>;
  /** As find, but also what is deleted. */
  readonly findAny: (accountId: string, id: string) => Promise<MaintenanceWindow | null>;
  /** Replaces the window when its stored sequence is still `expectedSequence`; false otherwise. */
  readonly replace: (
    accountId: string,
    window: MaintenanceWindow,
    expectedSequence: number,
  ) => Promise<boolean>;
  /** Removes it when the stored sequence is still `expectedSequence`; false when it is not, or gone. */
  readonly remove: (accountId: string, id: string, expectedSequence: number) => Promise<boolean>;
  /** Over all accounts, for the housekeeping: those that are due. */
  readonly listDue: (
    nowMs: number,
    limit: number,
  ) => Promise<readonly Pick<MaintenanceWindow, 'id' | 'accountId'>[]>;
}
