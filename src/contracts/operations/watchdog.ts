/**
 * The watchdog is a workflow that sends a test message (a canary) along the path that checks take, and reports the
 * arrival of the canary to an external URL. This URL may contain a secret, so workflow histories do not contain the URL.
 */

/** Id of the watchdog workflow. Each namespace has one watchdog. */
export const WATCHDOG_WORKFLOW_ID = 'watchdog';

/** Name of the signal that sends a new plan. If the plan is null, the workflow ends. */
export const WATCHDOG_PLAN_SIGNAL = 'plan';

/**
 * Names of the parts of Keepwatch that a canary can test. A region is another part, written as `probes:` and the name
 * of the region.
 */
export const WATCHDOG_PARTS = ['checks', 'alerts', 'storage'] as const;

export interface WatchdogPlan {
  readonly everyMs: number;
  /** A probe of each of these regions must run the canary and reach the API. */
  readonly regions: readonly string[];
  /** True if the sender of alerts must run the canary. */
  readonly needsAlerts: boolean;
  /** True if the database must store the canary and return it. */
  readonly needsStorage: boolean;
}

export interface WatchdogState {
  readonly v: 1;
  readonly plan: WatchdogPlan;
  readonly lastSlotMs: number | null;
  /** The reason in the last report. null means that the last report was a success, or that there was no report yet. */
  readonly reported: string | null;
}

/** A canary, identified by its slot in the watchdog's schedule. */
export interface Canary {
  readonly slotMs: number;
}

export interface CanaryReport extends Canary {
  /** Why the canary failed. null means that the canary passed. */
  readonly reason: string | null;
  /** True if the receiver of reports already has this reason. */
  readonly isReported: boolean;
}

/**
 * Activities that probes serve on the task queue `probe-<region>`, and that senders of alerts serve on the task queue
 * of alerts.
 */
export interface CanaryActivities {
  readonly takeCanary: (canary: Canary) => Promise<void>;
}

/** Activities that the orchestrator serves. */
export interface WatchdogActivities {
  /** Stores the canary and reads it back. Throws if the database does not return the stored value. */
  readonly storeCanary: (canary: Canary) => Promise<void>;
  /**
   * Returns true if the receiver has the report, from this call or an earlier call. Does not throw if the receiver
   * fails.
   */
  readonly reportCanary: (report: CanaryReport) => Promise<boolean>;
}
