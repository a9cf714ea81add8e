/**
 * Housekeeping: once a minute, a workflow brings Temporal in line with the database and deletes old data. Names and
 * types only.
 */

/** Each namespace has one such workflow. */
export const HOUSEKEEPING_WORKFLOW_ID = 'housekeeping';

/** Asks for a pass now instead of within the minute. */
export const PASS_NOW_SIGNAL = 'passNow';

/** Each task is a separate activity with this name. */
export const HOUSEKEEPING_TASKS = [
  /** Ensures that every definition has a workflow, and every workflow a definition. */
  'reconcileWorkflows',
  /** Notifies monitors and scenarios of the next maintenance. */
  'notifyMaintenance',
  /** Reports problems such as regions without workers to the operator. */
  'watchOperation',
  /** Closes runs whose workflow is gone. */
  'closeLostRuns',
  /** Sends alerts whose workflow is gone after all. */
  'resumeLostAlerts',
  /** Deletes the data of deleted monitors and scenarios. */
  'sweepRemovals',
  /** Sums up the hours of resources that are not checked any more. */
  'closeHours',
  /** Deletes results that are past their retention. */
  'deleteOldResults',
  /** Deletes expired idempotency keys and tests. */
  'sweepExpired',
  /** Re-encrypts values that an older key encrypted. */
  'rotateEncryption',
  /** Returns watches whose next slot is overdue to their workflows. */
  'returnOverdueWatches',
  /** Writes and ends posts about incidents on status pages, and publishes drafts that are due. */
  'writeStatusPosts',
  /** Sends each webhook the events that it subscribes to. */
  'sendEvents',
  /** Opens and closes the incidents of identity providers. */
  'tendProviders',
  /** Starts rollouts that a crash prevented from starting, and wakes running ones. */
  'continueRollouts',
] as const;

export type HousekeepingTask = (typeof HOUSEKEEPING_TASKS)[number];

export interface HousekeepingPass {
  /** The time by the workflow's clock, like `sinceMs`. The clock of a host may be wrong. */
  readonly beganAtMs: number;
  /** When the last successful pass of the task began. null if unknown. */
  readonly sinceMs: number | null;
}

/** How many things were handled, by their name in a sentence. Empty if there is none. */
export type HousekeepingCounts = Readonly<Record<string, number>>;

/** Served by the orchestrator. Every task may be repeated at any time. */
export type HousekeepingActivities = Readonly<
  Record<HousekeepingTask, (pass: HousekeepingPass) => Promise<HousekeepingCounts>>
>;

export interface HousekeepingState {
  readonly v: 1;
  /** When the last successful pass of each task began. */
  readonly doneSinceMs: Readonly<Partial<Record<HousekeepingTask, number>>>;
}

/** For people, for example `3 workflows started, 1 repair failed`. */
export function describeCounts(counts: HousekeepingCounts): string {
  const parts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  return parts.length === 0 ? 'nothing to do' : parts.join(', ');
}
