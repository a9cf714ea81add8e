/** The configuration of a heartbeat's workflow, and the state that continue-as-new passes on. */
import type { AlertState } from './alerts';
import type { Backlog } from './backlog';
import type { EndedRun, HeartbeatProgress, HeartbeatRules } from './heartbeat';
import type { MaintenanceState } from './maintenance';
import type { ExcludedPeriod, Gap, OperatorChange } from './records';
import type { HealthState, ScheduleConfig } from './workflows';

export interface HeartbeatConfig extends ScheduleConfig {
  readonly heartbeat: HeartbeatRules;
}

export interface HeartbeatState {
  readonly v: 1;
  readonly config: HeartbeatConfig;
  readonly progress: HeartbeatProgress;
  /** Runs of the job that have ended, at most 20, oldest first. */
  readonly ended: readonly EndedRun[];
  /** The schedule for which the due time was computed, as JSON. */
  readonly scheduledBy: string;
  /** Ids of pings that have been handled. The next call of `readPings` reports them to the database. */
  readonly done: readonly string[];
  readonly health: HealthState;
  readonly lastSlotMs: number | null;
  readonly checkedRevision: number | null;
  readonly alerts: AlertState;
  readonly excludedPeriods: readonly ExcludedPeriod[];
  readonly skipped: Gap | null;
  readonly maintenance: MaintenanceState;
  readonly operatorChange: OperatorChange | null;
  readonly backlog: Backlog;
}
