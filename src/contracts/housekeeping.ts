/**
 * Housekeeping is a workflow that runs once a minute. It brings Temporal in line with the database and deletes old
 * data. This file contains only names and types.
 */

/** Id of the housekeeping workflow. Each namespace has one such workflow. */
export const HOUSEKEEPING_WORKFLOW_ID = 'housekeeping';

/** Signal that requests a housekeeping pass now instead of within the minute. */
export const PASS_NOW_SIGNAL = 'passNow';

/** The housekeeping tasks. Each task is a separate activity of the same name. */
export const HOUSEKEEPING_TASKS = [
  /** Ensures that every definition has a workflow, and every workflow a definition. */
  'reconcileWorkflows',
  /** Sends the next maintenance to the workflows of monitors and scenarios. */
  'notifyMaintenance',
  /** Reports problems to the operator, such as regions without workers. */
  'watchOperation',
  /** Closes runs whose workflow is gone. */
  'closeLostRuns',
  /** Sends alerts whose workflow was lost. */
  'resumeLostAlerts',
  /** Deletes the data of deleted monitors and scenarios. */
  'sweepRemovals',
  /** Computes the last hourly summaries of resources that are no longer checked. */
  'closeHours',
  /** Deletes results that are past their retention. */
  'deleteOldResults',
  /** Deletes expired idempotency keys and tests. */
  'sweepExpired',
  /** Re-encrypts values that an older key encrypted. */
  'rotateEncryption',
  /** Returns watches (activities that repeat steady checks) to their workflows if their next slot is overdue. */
  'returnOverdueWatches',
  /** Writes and ends posts about incidents on status pages, and publishes drafts that are due. */
  'writeStatusPosts',
  /** Sends the events to each webhook that subscribes to them. */
  'sendEvents',
  /** Opens and closes the incidents of identity providers. */
  'tendProviders',
  /** Starts rollouts that a crash prevented from starting, and wakes running rollouts. */
  'continueRollouts',
] as const;

export type HousekeepingTask = (typeof HOUSEKEEPING_TASKS)[number];

export interface HousekeepingPass {
  /** When the pass began. Like `sinceMs`, this is workflow time, because the clock of a host may be wrong. */
  readonly beganAtMs: number;
  /** When the last successful pass of the task began. null if unknown. */
  readonly sinceMs: number | null;
}

/**
 * How many items were handled. Each key describes the items in words, for example `workflows started`. Empty if no item
 * was handled.
 */
export type HousekeepingCounts = Readonly<Record<string, number>>;

/** Activities that the orchestrator serves. Every task may be repeated at any time. */
export type HousekeepingActivities = Readonly<
  Record<HousekeepingTask, (pass: HousekeepingPass) => Promise<HousekeepingCounts>>
>;

export interface HousekeepingState {
  readonly v: 1;
  /** When the last successful pass of each task began. */
  readonly doneSinceMs: Readonly<Partial<Record<HousekeepingTask, number>>>;
}

/** Describes the counts for people, for example `3 workflows started, 1 repair failed`. */
export function describeCounts(counts: HousekeepingCounts): string {
  const parts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  return parts.length === 0 ? 'nothing to do' : parts.join(', ');
}
