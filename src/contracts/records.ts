/**
 * What workflows hand to the database: results, gaps, runs and statuses. Plain JSON; instants are
 * milliseconds since the epoch, so that workflows need no date formatting.
 */
import type { HttpMethod, JsonValue } from './definition';
import type { Failure, StepOutcome } from './outcome';

export type Health = 'pending' | 'up' | 'degraded' | 'down' | 'unknown';

export interface RegionHealth {
  readonly region: string;
  readonly health: Health;
  readonly sinceMs: number;
  readonly lastResponseTimeMs: number | null;
}

/** Slots that were not run, by name; never counted as down. */
export interface Gap {
  /** missed: the service was away; overrun: the previous check outlasted the interval. */
  readonly reason: 'missed' | 'overrun';
  readonly fromSlotMs: number;
  /** The last slot of the gap, itself included. */
  readonly toSlotMs: number;
  readonly slots: number;
}

export interface MonitorCheckRecord {
  readonly accountId: string;
  readonly monitorId: string;
  readonly rev: number;
  readonly kind: 'scheduled' | 'manual';
  readonly trigger: 'save' | 'schedule' | 'manual';
  readonly slotMs: number;
  readonly outcomes: readonly { readonly region: string; readonly outcome: StepOutcome }[];
  readonly gap: Gap | null;
  readonly health: Health;
  readonly healthSinceMs: number;
  readonly regionsHealth: readonly RegionHealth[];
  /** null while paused. */
  readonly nextSlotMs: number | null;
}

export type RunStatus =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'passed'
  | 'failed'
  | 'degraded'
  | 'timed_out'
  | 'cancelled'
  | 'error';

export type StepStatus =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'passed'
  | 'failed'
  | 'skipped'
  | 'error';

export type RunTrigger = 'schedule' | 'manual' | 'api' | 'save' | 'test';

export interface RunStepRecord {
  readonly index: number;
  readonly name: string;
  readonly method: HttpMethod;
  readonly status: StepStatus;
  readonly outcome: StepOutcome | null;
  readonly skippedReason: string | null;
}

export interface RunFailure extends Failure {
  readonly stepIndex: number | null;
  readonly stepName: string | null;
}

export interface RunRecord {
  readonly accountId: string;
  readonly scenarioId: string;
  readonly runId: string;
  readonly rev: number;
  readonly region: string;
  readonly trigger: RunTrigger;
  readonly label: string | null;
  readonly status: RunStatus;
  /** Counts up with each save of a run, so that an older state never replaces a newer one. */
  readonly progress: number;
  readonly slotMs: number;
  readonly queuedAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly steps: readonly RunStepRecord[];
  readonly failure: RunFailure | null;
  readonly countedInUptime: boolean;
}

export interface ScenarioSlotRecord {
  readonly accountId: string;
  readonly scenarioId: string;
  readonly slotMs: number;
  readonly runId: string | null;
  readonly runStatus: RunStatus | null;
  readonly region: string;
  readonly gap: Gap | null;
  readonly health: Health;
  readonly healthSinceMs: number;
  readonly regionsHealth: readonly RegionHealth[];
  readonly nextSlotMs: number | null;
}

/** True when a run will not change any more. */
export function isFinished(status: RunStatus): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'waiting';
}

export type RunVariables = readonly { readonly name: string; readonly value: JsonValue }[];
