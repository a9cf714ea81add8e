/**
 * The watchdog: a workflow that sends a canary the way that every check goes, and reports to a URL outside whether it
 * came through. Names and shapes only; the URL, which may hold a secret, stays out of histories.
 */

/** There is one of a namespace. */
export const WATCHDOG_WORKFLOW_ID = 'watchdog';

/** Another plan; null ends the workflow. */
export const WATCHDOG_PLAN_SIGNAL = 'plan';

/** What the watchdog may require; a region has `probes:` before its name. */
export const WATCHDOG_PARTS = ['checks', 'alerts', 'storage'] as const;

export interface WatchdogPlan {
  readonly everyMs: number;
  /** A probe of each takes the canary and reaches the API. */
  readonly regions: readonly string[];
  /** The sender of alerts takes one. */
  readonly needsAlerts: boolean;
  /** The database stores it and returns it. */
  readonly needsStorage: boolean;
}

export interface WatchdogState {
  readonly v: 1;
  readonly plan: WatchdogPlan;
  readonly lastSlotMs: number | null;
  /** Why the last one that was reported did not come through; null: it did, or none was reported. */
  readonly reported: string | null;
}

/** One slot of the schedule of the watchdog. */
export interface Canary {
  readonly slotMs: number;
}

export interface CanaryReport extends Canary {
  /** null: it came through. */
  readonly reason: string | null;
  /** The receiver has this reason: it is sent once. */
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
  /** True when the receiver has it, now or before; never throws for what the receiver does. */
  readonly reportCanary: (report: CanaryReport) => Promise<boolean>;
}
