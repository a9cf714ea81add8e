/** What workflows hold back while the database does not take it, and hand over later. */
import type { MonitorCheckRecord, ScenarioSlotRecord } from './records';

/** What is to be stored of one slot. */
export type PendingRecord =
  | { readonly kind: 'monitor'; readonly record: MonitorCheckRecord }
  | { readonly kind: 'scenario'; readonly record: ScenarioSlotRecord };

/** Pending records on their way by one activity at a time, oldest first. */
export interface Lane {
  /** In the hands of the activity; sent again as they are after a continue-as-new. */
  readonly handed: readonly PendingRecord[];
  /** Follow when those are done; within bounds. */
  readonly held: readonly PendingRecord[];
  /** When the activity was first handed these. */
  readonly sinceMs: number;
}

export interface Backlog {
  /** While the database is away. */
  readonly waiting: Lane;
  /** The database answers, but does not take them. */
  readonly refused: Lane;
}

export interface RefusedRecords {
  readonly records: readonly PendingRecord[];
  readonly sinceMs: number;
}

/** What became of pending records that are handed over together. */
export interface HandedOver {
  /** The resource no longer exists: the workflow ends. */
  readonly gone: boolean;
  /** How many, from the first on, the database has stored or refused; time was too short for the rest. */
  readonly done: number;
  /** The places of those that it refused. */
  readonly refused: readonly number[];
}

/** Served by the orchestrator as ordinary activities, which are retried until they succeed. */
export interface BacklogActivities {
  /** Stores for some seconds; throws while the database is away. All of it may be repeated. */
  readonly recordWaiting: (pendingRecords: readonly PendingRecord[]) => Promise<HandedOver>;
  /**
   * Tries again what was refused; what still is after a day is put on the operator's list instead.
   * Throws while anything is left.
   */
  readonly retryRefused: (refused: RefusedRecords) => Promise<HandedOver>;
}

/** Types of the failures that activities of the database throw. */
export const DATABASE_FAILURES = { away: 'database_away', refused: 'database_refused' } as const;
