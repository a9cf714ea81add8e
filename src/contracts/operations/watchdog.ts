/**
 * The watchdog: a workflow that sends a canary along the path of every check, and reports to an external URL whether it
 * came through. Names and shapes only; the URL, which may contain a secret, stays out of histories.
 */

/** There is one per namespace. */
export const WATCHDOG_WORKFLOW_ID = 'watchdog';

/** Carries a new plan; null ends the workflow. */
export const WATCHDOG_PLAN_SIGNAL = 'plan';

/** The parts that the watchdog may require; a region has `probes:` before its name. */
export const WATCHDOG_PARTS = ['checks', 'alerts', 'storage'] as const;

export interface WatchdogPlan {
  readonly everyMs: number;
  /** A probe of each region must take the canary and reach the API. */
  readonly regions: readonly string[];
  /** The sender of alerts must take the canary. */
  readonly needsAlerts: boolean;
  /** The database must store the canary and return it. */
  readonly needsStorage: boolean;
}

export interface WatchdogState {
  readonly v: 1;
  readonly plan: WatchdogPlan;
  readonly lastSlotMs: number | null;
  /** Why the last reported canary did not come through; null: it did, or none was reported. */
  readonly reported: string | null;
}

/** One slot of the watchdog's schedule. */
export interface Canary {
  readonly slotMs: number;
}

export interface CanaryReport extends Canary {
  /** null: it came through. */
  readonly reason: string | null;
  /** The receiver already has this reason, which is sent only once. */
  readonly isReported: boolean;
}

/** Served by probes on `probe-<region>`, and by senders on the queue of alerts. */
export interface CanaryActivities {
  readonly takeCanary: (canary: Canary) => Promise<void>;
}

/** Served by the orchestrator. */
export interface WatchdogActivities {
  /** Throws when the database does not return what it was given. */
  readonly storeCanary: (canary: Canary) => Promise<void>;
  /** True if the receiver got the report, now or before; never throws for what the receiver does. */
  readonly reportCanary: (report: CanaryReport) => Promise<boolean>;
}
