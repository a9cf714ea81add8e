/** The records that workflows store later, because the database does not accept them now. */
import type { MonitorCheckRecord, ScenarioSlotRecord } from './records';

/** The record of one slot that is not stored yet. */
export type PendingRecord =
  | { readonly kind: 'monitor'; readonly record: MonitorCheckRecord }
  | { readonly kind: 'scenario'; readonly record: ScenarioSlotRecord };

/** A queue of pending records. One activity at a time stores them, oldest first. */
export interface PendingQueue {
  /**
   * The records that the activity is storing (in flight). After a continue-as-new, the activity gets the same records
   * again.
   */
  readonly handed: readonly PendingRecord[];
  /** Records that wait until the records in flight are stored. Their number is limited. */
  readonly held: readonly PendingRecord[];
  /** When the activity first got the records in flight. */
  readonly sinceMs: number;
}

export interface Backlog {
  /** Records that wait because the database is unavailable. */
  readonly waiting: PendingQueue;
  /** Records that the database has refused. */
  readonly refused: PendingQueue;
}

export interface RefusedRecords {
  readonly records: readonly PendingRecord[];
  readonly sinceMs: number;
}

/** The result of storing several pending records together. */
export interface InFlightRecords {
  /** True if the resource no longer exists. The workflow then ends. */
  readonly gone: boolean;
  /** How many of the records, counted from the first, the database has stored or refused. */
  readonly done: number;
  /** The indexes of the refused records. */
  readonly refused: readonly number[];
}

/** Ordinary activities (not local ones) of the orchestrator. They are retried until they succeed. */
export interface BacklogActivities {
  /**
   * Stores as many of the records as possible within a few seconds. Throws if the database is unavailable. The same
   * records can be passed again safely.
   */
  readonly recordWaiting: (pendingRecords: readonly PendingRecord[]) => Promise<InFlightRecords>;
  /**
   * Retries refused records. Records that are still refused after a day are put on the operator's list. Throws while
   * refused records are left.
   */
  readonly retryRefused: (refused: RefusedRecords) => Promise<InFlightRecords>;
}

/** Types of failures of activities that use the database. */
export const DATABASE_FAILURES = { away: 'database_away', refused: 'database_refused' } as const;
