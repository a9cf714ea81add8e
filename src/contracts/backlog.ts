/** Records that workflows keep while the database does not accept them, and store later. */
import type { MonitorCheckRecord, ScenarioSlotRecord } from './records';

/** The record of one slot that has to be stored. */
export type PendingRecord =
  | { readonly kind: 'monitor'; readonly record: MonitorCheckRecord }
  | { readonly kind: 'scenario'; readonly record: ScenarioSlotRecord };

/** A queue of pending records that one activity at a time stores, oldest first. */
export interface Lane {
  /** Records in flight with the activity; sent again unchanged after a continue-as-new. */
  readonly handed: readonly PendingRecord[];
  /** Deferred until those are done; bounded. */
  readonly held: readonly PendingRecord[];
  /** When the activity first got the records in flight. */
  readonly sinceMs: number;
}

export interface Backlog {
  /** Records that wait while the database is unavailable. */
  readonly waiting: Lane;
  /** Records that the database responds to, but refuses. */
  readonly refused: Lane;
}

export interface RefusedRecords {
  readonly records: readonly PendingRecord[];
  readonly sinceMs: number;
}

/** Outcomes of pending records that are stored together. */
export interface HandedOver {
  /** The resource no longer exists: the workflow ends. */
  readonly gone: boolean;
  /**
   * The number of records, from the first on, that the database has stored or refused; there was no time for the rest.
   */
  readonly done: number;
  /** The indexes of those that it refused. */
  readonly refused: readonly number[];
}

/** Served by the orchestrator as ordinary activities, which are retried until they succeed. */
export interface BacklogActivities {
  /** Stores for a few seconds; throws if the database is unavailable. All of it may be repeated. */
  readonly recordWaiting: (pendingRecords: readonly PendingRecord[]) => Promise<HandedOver>;
  /**
   * Retries refused records; those still refused after a day are put on the operator's list instead.
   * Throws while any are left.
   */
  readonly retryRefused: (refused: RefusedRecords) => Promise<HandedOver>;
}

/** Types of the failures that activities of the database throw. */
export const DATABASE_FAILURES = { away: 'database_away', refused: 'database_refused' } as const;
