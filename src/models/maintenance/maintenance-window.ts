/** Maintenance windows as use cases see them. Shapes only. */

import type { MaintenanceMode, MaintenanceTarget, Occurrence } from '../../contracts/maintenance';
import type { ListQuery, Page } from '../store/list-query';

export interface MaintenanceWindow {
  readonly id: string;
  readonly accountId: string;
  /** Grows with every change that people make; the ETag. */
  readonly version: number;
  /** Grows with every write. */
  readonly edition: number;
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
  /** Deleted, and kept until those who were told of it know. */
  readonly isDeleted: boolean;
  /** Targets that may not know yet how the window is now. */
  readonly untold: readonly MaintenanceTarget[];
  /** The next occurrences, as of the last look at the calendar. */
  readonly occurrences: readonly Occurrence[];
  /** When the targets are to be told again; null: never, as it is now. */
  readonly dueAtMs: number | null;
}

/** Those that are deleted are in no answer of `find`, `page` and `count`. */
export interface MaintenanceWindowStore {
  /** Throws `key_taken`. */
  readonly create: (accountId: string, row: MaintenanceWindow) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<MaintenanceWindow | null>;
  /** Newest first. */
  readonly page: (accountId: string, query: ListQuery) => Promise<Page<MaintenanceWindow>>;
  readonly count: (accountId: string) => Promise<number>;
  /** All of the account that are not deleted; there are few. */
  readonly listAll: (accountId: string) => Promise<readonly MaintenanceWindow[]>;
  /** As find, but also what is deleted. */
  readonly findAny: (accountId: string, id: string) => Promise<MaintenanceWindow | null>;
  /** Replaces the row when its stored edition is still `expectedEdition`; false otherwise. */
  readonly replace: (
    accountId: string,
    row: MaintenanceWindow,
    expectedEdition: number,
  ) => Promise<boolean>;
  /** Removes it when the stored edition is still `expectedEdition`; false when it is not, or gone. */
  readonly remove: (accountId: string, id: string, expectedEdition: number) => Promise<boolean>;
  /** Over all accounts, for the housekeeping: those whose time to be told has come. */
  readonly listDue: (
    nowMs: number,
    limit: number,
  ) => Promise<readonly Pick<MaintenanceWindow, 'id' | 'accountId'>[]>;
}
