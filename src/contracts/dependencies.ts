/** The questions of a workflow to its dependencies about their health, and their reports. Shapes only. */
import type { ResourceKind } from './definition';

/** An update of monitors, heartbeats and scenarios; it returns a HealthReport. */
export const HEALTH_UPDATE = 'reportHealth';

/** A failed check that began at most this long before the question is as good as a fresh one. */
export const DOWN_HOLDS_MS = 30_000;

/** How long a new alert waits for the reports of its dependencies. */
export const HOLD_MS = 60_000;

export interface HealthQuestion {
  readonly accountId: string;
  /** The newest check must have begun after this instant. */
  readonly sinceMs: number;
  /** False: the report uses the last check, however old it is. */
  readonly wantsCheck: boolean;
}

export interface HealthReport {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly name: string;
  /** unknown: it was not observed; gone: there is no such resource; pending: it has not responded yet. */
  readonly standing: 'up' | 'down' | 'paused' | 'maintenance' | 'unknown' | 'gone' | 'pending';
  /** When the newest check began; null: not known, or nothing is checked. */
  readonly checkedAtMs: number | null;
  /** When the first check began since which none has failed; null: it is failing. */
  readonly okSinceMs: number | null;
  readonly incidentId: string | null;
  /** Ids of what explains it, and of what explains that. */
  readonly explainedBy: readonly string[];
}

export interface DependencyQuestion extends HealthQuestion {
  /** The id of the resource that depends on them. */
  readonly askerId: string;
  readonly ids: readonly string[];
}

/** Served by the orchestrator. */
export interface DependencyActivities {
  /** One report for each id, in their order, within a few seconds; those that take longer are pending. */
  readonly askDependencies: (question: DependencyQuestion) => Promise<readonly HealthReport[]>;
}
