/**
 * Housekeeping: the workflow that, once a minute, brings the engine in line with the database and
 * clears away what is over. Names and shapes only.
 */

/** There is one of a namespace. */
export const HOUSEKEEPING_WORKFLOW_ID = 'housekeeping';

/** Asks for a pass now instead of within the minute. */
export const PASS_NOW_SIGNAL = 'passNow';

export const HOUSEKEEPING_PARTS = [
  /** Every definition has its workflow, every workflow its definition. */
  'reconcile',
  /** Monitors and scenarios know what maintenance is next. */
  'maintenance',
  /** Regions without workers and the like are told to the operator. */
  'operation',
  /** Runs whose workflow is gone are closed. */
  'lostRuns',
  /** Alerts whose workflow is gone are sent after all. */
  'lostAlerts',
  /** What belonged to deleted monitors and scenarios goes. */
  'removals',
  /** Hours of what is not checked any more are summed up. */
  'hours',
  /** Results that are older than they are kept go. */
  'retention',
  /** Idempotency keys and tests that are over go. */
  'expired',
  /** What an older key sealed is sealed anew. */
  'secrets',
] as const;

export type HousekeepingPart = (typeof HOUSEKEEPING_PARTS)[number];

export interface HousekeepingTask {
  readonly part: HousekeepingPart;
  /** When the part began the last time that it succeeded; null when that is not known. */
  readonly sinceMs: number | null;
}

/** Served by the orchestrator; every part may be repeated at any time. */
export interface HousekeepingActivities {
  /** What the part did, in words; null when there was nothing to do. */
  readonly keepHouse: (task: HousekeepingTask) => Promise<string | null>;
}

export interface HousekeepingState {
  readonly v: 1;
  /** When each part began the last time that it succeeded. */
  readonly doneSinceMs: Readonly<Partial<Record<HousekeepingPart, number>>>;
}
