/** How a workflow asks its dependencies about their health. Types only. */
import type { ResourceKind } from './definition';

/** An update that returns a HealthReport. */
export const HEALTH_UPDATE = 'reportHealth';

/** A failed check is recent enough if it started at most this long before the question. */
export const DOWN_HOLDS_MS = 30_000;

/** How long a new alert waits for the reports of its dependencies. */
export const HOLD_MS = 60_000;

export interface HealthQuestion {
  readonly accountId: string;
  /** The newest check must have started after this instant. */
  readonly sinceMs: number;
  /** False means that the report uses the last check, however old it is. */
  readonly wantsCheck: boolean;
}

export interface HealthReport {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly name: string;
  /** unknown: the health was not observed. gone: the resource does not exist. pending: no response yet. */
  readonly standing: 'up' | 'down' | 'paused' | 'maintenance' | 'unknown' | 'gone' | 'pending';
  /** When the newest check started. null if unknown, or nothing is checked. */
  readonly checkedAtMs: number | null;
  /**
   * When the first check started after the last failed one. null means that the resource is
   * failing.
   */
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

/** Served by the orchestrator. */
export interface DependencyActivities {
  /** Returns one report per id, in the order of the ids, within a few seconds. Late reports are pending. */
  readonly askDependencies: (question: DependencyQuestion) => Promise<readonly HealthReport[]>;
}
