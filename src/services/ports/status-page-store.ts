/** Status pages as use cases see them, and what they ask of the database about them. */
import type { ListQuery, Page } from '../lists/list-query';

export interface StatusPageItem {
  /** Of a monitor or scenario of the account; it may be gone by now. */
  readonly id: string;
  /** What outsiders read, whatever it is called inside. */
  readonly name: string;
}

interface StatusPageGroupRow {
  readonly name: string;
  readonly items: readonly StatusPageItem[];
}

export interface StatusPageRow {
  /** `stp_…` */
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  /** What apply goes by; unique in the account. */
  readonly key: string | null;
  /** The set under which apply made it. */
  readonly managedBy?: string;
  /** Unique over all accounts. */
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  /** False: nobody outside sees anything of it. */
  readonly isPublic: boolean;
  readonly groups: readonly StatusPageGroupRow[];
  readonly showBadges: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface StatusPageStore {
  /** Throws AppError `key_taken` for a slug of whatever account's page, or a key of the account's. */
  readonly create: (accountId: string, row: StatusPageRow) => Promise<void>;
  readonly find: (accountId: string, id: string) => Promise<StatusPageRow | null>;
  /** For outsiders: the only look-up that does not know the account. */
  readonly findPublic: (slug: string) => Promise<StatusPageRow | null>;
  /** Newest first. */
  readonly list: (accountId: string, query: ListQuery) => Promise<Page<StatusPageRow>>;
  readonly count: (accountId: string) => Promise<number>;
  /** Replaces the row when its stored version is still `expectedVersion`; false otherwise. */
  readonly replace: (
    accountId: string,
    row: StatusPageRow,
    expectedVersion: number,
  ) => Promise<boolean>;
  /** Removes it when the stored version is still `expectedVersion`; false when it is not, or gone. */
  readonly remove: (accountId: string, id: string, expectedVersion: number) => Promise<boolean>;
}
