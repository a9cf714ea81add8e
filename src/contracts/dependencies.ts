/** Types for workflows that ask the resources they depend on about their health. */
import type { ResourceKind } from './definition';

/** The name of the update that returns a HealthReport. */
export const HEALTH_UPDATE = 'reportHealth';

/** A report of `down` counts even if its check started up to this long before the `sinceMs` of the question. */
export const DOWN_HOLDS_MS = 30_000;

/** How long a new alert waits for the reports of the resources that its check depends on. */
export const HOLD_MS = 60_000;

export interface HealthQuestion {
  readonly accountId: string;
  /** The newest check in the report must have started after this instant. */
  readonly sinceMs: number;
  /** False means that the report uses the last check, however old it is. */
  readonly wantsCheck: boolean;
}

export interface HealthReport {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly name: string;
  /**
   * `unknown` means that the health was not observed, `gone` that the resource does not exist, and `pending` that there
   * is no response yet.
   */
  readonly standing: 'up' | 'down' | 'paused' | 'maintenance' | 'unknown' | 'gone' | 'pending';
  /** When the newest check started. null if it is unknown, or if nothing is checked. */
  readonly checkedAtMs: number | null;
  /** When the first check after the last failure started. null if `standing` is not `up`. */
  readonly okSinceMs: number | null;
  readonly incidentId: string | null;
  /** Ids of all dependencies that explain the failure, directly or indirectly. */
  readonly explainedBy: readonly string[];
}

export interface DependencyQuestion extends HealthQuestion {
  /** The id of the resource that depends on the others. */
  readonly askerId: string;
  readonly ids: readonly string[];
}

/** Activities that the orchestrator serves. */
export interface DependencyActivities {
  /**
   * Returns one report per id, in the order of the ids, within a few seconds. A report that is not available by then is
   * `pending`.
   */
  readonly askDependencies: (question: DependencyQuestion) => Promise<readonly HealthReport[]>;
}
