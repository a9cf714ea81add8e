/**
 * Housekeeping: the workflow that, once a minute, brings Temporal in line with the database and
 * clears away what is over. Names and shapes only.
 */

/** There is one of a namespace. */
export const HOUSEKEEPING_WORKFLOW_ID = 'housekeeping';

/** Asks for a pass now instead of within the minute. */
export const PASS_NOW_SIGNAL = 'passNow';

/** Each is an activity of its own, under this name. */
export const HOUSEKEEPING_TASKS = [
  /** Every definition has its workflow, every workflow its definition. */
  'reconcileWorkflows',
  /** Monitors and scenarios know what maintenance is next. */
  'notifyMaintenance',
  /** Regions without workers and the like are reported to the operator. */
  'watchOperation',
  /** Runs whose workflow is gone are closed. */
  'closeLostRuns',
  /** Alerts whose workflow is gone are sent after all. */
  'resumeLostAlerts',
  /** What belonged to deleted monitors and scenarios goes. */
  'sweepRemovals',
  /** Hours of what is not checked any more are summed up. */
  'closeHours',
  /** Results that are older than they are kept go. */
  'deleteOldResults',
  /** Idempotency keys and tests that are over go. */
  'sweepExpired',
  /** What an older key encrypted is re-encrypted. */
  'rotateEncryption',
  /** Watches whose next slot is overdue go back to their workflows. */
  'returnOverdueWatches',
  /** Incidents make and end posts on status pages, and drafts whose time has come are published. */
  'writeStatusPosts',
  /** Webhooks get the events that they want. */
  'sendEvents',
] as const;

export type HousekeepingTask = (typeof HOUSEKEEPING_TASKS)[number];

export interface HousekeepingPass {
  /** By the clock of the workflow, as `sinceMs` is: that of a host may be wrong. */
  readonly beganAtMs: number;
  /** When the task began the last time that it succeeded; null when that is not known. */
  readonly sinceMs: number | null;
}

/** How many of what were dealt with, by what they are called in a sentence; empty: nothing to do. */
export type HousekeepingCounts = Readonly<Record<string, number>>;

/** Served by the orchestrator; every task may be repeated at any time. */
export type HousekeepingActivities = Readonly<
  Record<HousekeepingTask, (pass: HousekeepingPass) => Promise<HousekeepingCounts>>
>;

export interface HousekeepingState {
  readonly v: 1;
  /** When each task began the last time that it succeeded. */
  readonly doneSinceMs: Readonly<Partial<Record<HousekeepingTask, number>>>;
}

/** For people: `3 workflows started, 1 repair failed`. */
export function describeCounts(counts: HousekeepingCounts): string {
  const parts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  return parts.length === 0 ? 'nothing to do' : parts.join(', ');
}
