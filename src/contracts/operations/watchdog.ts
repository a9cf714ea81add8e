/**
 * The watchdog is a workflow that sends a test (a canary) through the path of every check, and reports its arrival to
 * an external URL. Histories do not contain the URL, which may contain a secret.
 */

/** Each namespace has one such workflow. */
export const WATCHDOG_WORKFLOW_ID = 'watchdog';

/** Signal with a new plan. null ends the workflow. */
export const WATCHDOG_PLAN_SIGNAL = 'plan';

/** The parts that the watchdog may require. A region is written as `probes:` and its name. */
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
  /** Why the last canary that was reported failed. null means that it passed, or that none was reported. */
  readonly reported: string | null;
}

/** A canary, identified by its slot in the watchdog's schedule. */
export interface Canary {
  readonly slotMs: number;
}

export interface CanaryReport extends Canary {
  /** Why the canary failed. null means that it passed. */
  readonly reason: string | null;
  /** True means that the receiver of reports has this reason already. */
  readonly isReported: boolean;
}

/** Served by probes on the task queue `probe-<region>`, and by senders on the task queue of alerts. */
export interface CanaryActivities {
  readonly takeCanary: (canary: Canary) => Promise<void>;
}

/** Served by the orchestrator. */
export interface WatchdogActivities {
  /** Stores the canary and reads it back. Throws if the database does not return the stored value. */
  readonly storeCanary: (canary: Canary) => Promise<void>;
  /** True if the receiver got the report, now or earlier. Never throws because of the receiver's behaviour. */
  readonly reportCanary: (report: CanaryReport) => Promise<boolean>;
}
