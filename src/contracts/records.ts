/**
 * The records that workflows send to the database: results, gaps, runs and statuses, as plain JSON. Instants are
 * milliseconds since the epoch.
 */
import type { CertificateThreshold } from './certificates';
import type { JsonValue, ResourceKind } from './definition';
import type { HeartbeatProgress } from './heartbeat';
import type { Failure, StepOutcome } from './outcome';

export const HEALTHS = ['pending', 'up', 'degraded', 'down', 'unknown'] as const;
export type Health = (typeof HEALTHS)[number];

export interface RegionHealth {
  readonly region: string;
  readonly health: Health;
  readonly sinceMs: number;
  readonly lastResponseTimeMs: number | null;
}

/** Slots that were not checked. They never count as downtime. */
export interface Gap {
  /**
   * `missed`: the service was down. `overrun`: the previous check took longer than the interval. `worker_lost`: the
   * worker of the previous check was lost.
   */
  readonly reason: 'missed' | 'overrun' | 'worker_lost';
  readonly fromSlotMs: number;
  /** The last slot of the gap, inclusive. */
  readonly toSlotMs: number;
  readonly slots: number;
}

/** A pause or maintenance, whose time does not count in uptime. The period is stored when it is over. */
export interface ExcludedPeriod {
  readonly state: 'paused' | 'maintenance';
  readonly fromMs: number;
  /** The end, which is exclusive. */
  readonly toMs: number;
}

/** A pause or resume that an operator made directly in Temporal. */
export interface OperatorChange {
  readonly paused: boolean;
  readonly reason: string | null;
  readonly atMs: number;
}

export interface OperatorChangeRecord {
  readonly accountId: string;
  readonly kind: ResourceKind;
  readonly id: string;
  /** The version of the configuration when the operator made the change. */
  readonly version: number;
  readonly change: OperatorChange;
}

/** The health from this instant on, until the next change. */
export interface HealthChange {
  readonly atMs: number;
  readonly health: Health;
}

/** A failure of a dependency that explains an incident. */
export interface ExplainedBy {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly name: string;
  /** The open incident of the dependency. null if the dependency had failed but was not down yet. */
  readonly incidentId: string | null;
  readonly atMs: number;
  /** When the failure stopped being the explanation. null means that the failure still is the explanation. */
  readonly untilMs: number | null;
}

/** The counts on which the opening of an incident was based. */
export interface IncidentEvidence {
  readonly slotMs: number;
  /** How many slots in a row failed, including this one. */
  readonly failures: number;
  readonly failuresBeforeDown: number;
  /** How many regions reported a result, and how many of them failed. */
  readonly regions: number;
  readonly failing: number;
  readonly quorum: number;
}

export const DECISION_REASONS = [
  'notified',
  'flapping_began',
  'known_down',
  'muted',
  'flapping',
  'flapping_again',
  'stayed_down',
  'failure_off',
  'no_recipients',
  'silenced',
  'asks_dependencies',
  'dependency',
  'recovery_notified',
  'no_longer_used',
  'recovery_muted',
  'recovery_flapping',
  'recovery_off',
  'never_notified',
] as const;

/**
 * A decision whether to notify people of an incident. `reason` is the reason for the decision, which applies from
 * `atMs` on.
 */
export interface AlertDecision {
  readonly atMs: number;
  readonly reason: (typeof DECISION_REASONS)[number];
}

/** An incident, as in the state of its workflow and in the database. */
export interface IncidentRecord {
  /** `inc_…`. The workflow creates the id before the incident is stored. */
  readonly id: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly cause: Pick<Failure, 'code' | 'message'> | null;
  /** The regions in which the check failed when the incident opened. */
  readonly regions: readonly string[];
  readonly firstRunId: string | null;
  /** The counts at the opening. Absent if nothing is counted, for example for heartbeats. */
  readonly evidence?: IncidentEvidence;
  /** The decisions, oldest first. Only the first and the last decisions are kept. */
  readonly decisions?: readonly AlertDecision[];
  /** Present only for a resource with dependencies. */
  readonly explainedBy?: ExplainedBy;
}

/** An open incident with a decision about alerts that was made between two slots. */
export interface IncidentDecisionRecord {
  readonly accountId: string;
  readonly incident: IncidentRecord;
}

/** The record of one slot of a monitor or a scenario. */
interface SlotRecord {
  readonly accountId: string;
  readonly kind: 'scheduled' | 'manual';
  readonly slotMs: number;
  readonly gap: Gap | null;
  /** Pauses and maintenance that ended since the previous slot. */
  readonly excludedPeriods: readonly ExcludedPeriod[];
  /** The incident that this slot opened or closed. null if there is none. */
  readonly incident: IncidentRecord | null;
  /** The incident that is open after this slot. */
  readonly currentIncidentId: string | null;
  /** True if the slot was in maintenance. No one was notified of the slot, and its time does not count in uptime. */
  readonly inMaintenance: boolean;
  readonly health: Health;
  readonly healthSinceMs: number;
  readonly regionsHealth: readonly RegionHealth[];
  /** null while the resource is paused. */
  readonly nextSlotMs: number | null;
  /** The last slot of the schedule that is stored or in a gap. Set for a check or run outside the schedule. */
  readonly gridSlotMs?: number;
}

export interface MonitorCheckRecord extends SlotRecord {
  readonly monitorId: string;
  readonly revision: number;
  readonly trigger: 'save' | 'schedule' | 'manual';
  /** Ids of the “check now” requests that this check fulfils. Absent if there is none. */
  readonly requestIds?: readonly string[];
  readonly outcomes: readonly { readonly region: string; readonly outcome: StepOutcome }[];
  /** Earlier slots that watches may have stored. A slot without a result was missed. */
  readonly unconfirmed?: Gap;
  /** The progress of the job. Present only for heartbeats. */
  readonly heartbeat?: HeartbeatProgress | undefined;
}

export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting',
  'passed',
  'failed',
  'degraded',
  'timed_out',
  'cancelled',
  'error',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const STEP_STATUSES = [
  'pending',
  'running',
  'waiting',
  'passed',
  'failed',
  'skipped',
  'error',
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** Whether a list starts with the newest or the oldest entry. */
export const LIST_ORDERS = ['newest', 'oldest'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];

export const RUN_TRIGGERS = ['schedule', 'manual', 'api', 'save', 'test'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

export interface RunStepRecord {
  readonly index: number;
  readonly name: string;
  /** An HTTP method, or another type of check in capitals, for example `TCP`. */
  readonly method: string;
  readonly status: StepStatus;
  /** When the first request of the step was due. null before that. */
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  /** When the current wait of the step ends. null while the step does not wait. */
  readonly waitingUntilMs: number | null;
  /** The number of all tries so far. The outcome lists only the last tries. */
  readonly tries: number;
  /** The outcome of the last try. */
  readonly outcome: StepOutcome | null;
  readonly skippedReason: string | null;
}

/** Where a request for a run comes from: a pipeline, a commit, a person. */
export interface RunSource {
  readonly provider: string | null;
  readonly repository: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly url: string | null;
  readonly actor: string | null;
}

export interface RunFailure extends Failure {
  readonly stepIndex: number | null;
  readonly stepName: string | null;
}

export interface RunRecord {
  readonly accountId: string;
  readonly scenarioId: string;
  readonly runId: string;
  readonly revision: number;
  /** Key of the requested environment. If absent, the saved environment was used. */
  readonly environment?: string;
  readonly region: string;
  readonly trigger: RunTrigger;
  readonly label: string | null;
  /** null means that the run was scheduled, or its request named no source. */
  readonly source: RunSource | null;
  readonly status: RunStatus;
  /** Grows with each save of a run. An older state then never replaces a newer one. */
  readonly sequence: number;
  readonly slotMs: number;
  readonly queuedAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly steps: readonly RunStepRecord[];
  readonly failure: RunFailure | null;
  readonly countedInUptime: boolean;
  /** The workflow execution that did the run. Absent if the run has its own workflow. */
  readonly executionId?: string;
}

export interface ScenarioSlotRecord extends SlotRecord {
  readonly scenarioId: string;
  readonly runId: string | null;
  readonly runStatus: RunStatus | null;
  /** The duration of the run. null means that there was no run. */
  readonly durationMs: number | null;
  /** The earliest time at which one of the certificates expires. null if there are none, absent if unknown. */
  readonly tlsExpiresAtMs?: number | null;
  /** The warning thresholds, each with the time at which any certificate first reaches it. Absent if unknown. */
  readonly tlsRungs?: readonly CertificateThreshold[];
  readonly region: string;
}

/** True if a run will not change any more. */
export function isFinished(status: RunStatus): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'waiting';
}

/** A value of a run. A secret value is JSON that an API or a probe has encrypted for this run. */
export interface RunVariable {
  readonly name: string;
  readonly value: JsonValue;
  readonly secret?: true | undefined;
}

export type RunVariables = readonly RunVariable[];
