/** What use cases ask of the database for pages that show many resources at once. */
import type { ResourceKind } from '../contracts/definition';
import type { Health } from '../contracts/records';
import type { ResourceRow, ResultRow } from './rows';

/** As much of a resource as counting needs. */
export interface TallyRow {
  readonly id: string;
  readonly state: ResourceRow['state'];
  readonly pausedUntilMs: number | null;
  readonly groupKey: string;
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

export interface OverviewStore {
  readonly resources: (accountId: string, kind: ResourceKind) => Promise<readonly TallyRow[]>;
  /** Of monitors and scenarios alike. */
  readonly statuses: (accountId: string) => Promise<readonly TallyStatusRow[]>;
  readonly openIncidents: (accountId: string) => Promise<number>;
  /** The newest results of one resource in one region, newest first. */
  readonly newestResults: (
    accountId: string,
    query: { readonly id: string; readonly region: string; readonly limit: number },
  ) => Promise<readonly RecentResult[]>;
}
