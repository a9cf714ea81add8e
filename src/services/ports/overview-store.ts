/** What use cases ask of the database for pages that show many resources at once. */
import type { ResourceKind } from '../../contracts/definition';
import type { Health } from '../../contracts/records';
import type { ResourceRow, ResultRow } from './rows';

/** As much of a resource as counting needs. */
export interface TallyRow {
  readonly id: string;
  readonly state: ResourceRow['state'];
  readonly pausedUntilMs: number | null;
  readonly groupKey: string;
  /** Empty when they were not asked for. */
  readonly tags: readonly string[];
}

export interface TallyStatusRow {
  readonly id: string;
  readonly health: Health;
}

/** As much of a result as a bar of a list needs. */
export interface RecentResult {
  readonly slotMs: number;
  readonly status: ResultRow['status'];
  readonly responseTimeMs: number | null;
}

export interface NewestQuery {
  readonly id: string;
  readonly region: string;
  readonly limit: number;
  /** What was read since results were last stored is taken from memory; null: it is read. */
  readonly unchangedSinceMs: number | null;
}

export interface OverviewStore {
  /** All of the kind; tags are read only for those who need them. */
  readonly resources: (
    accountId: string,
    query: { readonly kind: ResourceKind; readonly withTags: boolean },
  ) => Promise<readonly TallyRow[]>;
  /** Of the monitors and scenarios that are not up: few, most of the time. */
  readonly statusesNotUp: (accountId: string) => Promise<readonly TallyStatusRow[]>;
  readonly openIncidents: (accountId: string) => Promise<number>;
  /** The newest results of one resource in one region, newest first. */
  readonly newestResults: (
    accountId: string,
    query: NewestQuery,
  ) => Promise<readonly RecentResult[]>;
}
