/** Names and arguments of the workflows: ids, types, queues, signals, updates, and state. */
import type { AlertRules, AlertState } from './alerts';
import type { Backlog } from './backlog';
import type { SeenCertificate, WarnedCertificate } from './certificates';
import type { Guidance, MonitorRules } from './definition';
import type { MaintenancePlan, MaintenanceState } from './maintenance';
import type {
  ExcludedPeriod,
  Gap,
  Health,
  OperatorChange,
  RegionHealth,
  RunSource,
  RunTrigger,
  RunVariables,
} from './records';
import type { SteadyOutcome } from './watches';

export const ORCHESTRATOR_QUEUE = 'orchestrator';

export function probeQueue(region: string): string {
  return `probe-${region}`;
}

/**
 * The queue of watches. A watch repeats steady checks for days. Watches have a separate queue, so that they do not wait
 * for other checks.
 */
export function watchQueue(region: string): string {
  return `watch-${region}`;
}

/** The id of the workflow that hands over the watches of a lost probe process. */
export function handOverWorkflowId(instance: string): string {
  return `hand-over-${instance}`;
}

export const WORKFLOW_TYPES = {
  monitor: 'monitorWorkflow',
  heartbeat: 'heartbeatWorkflow',
  scenario: 'scenarioWorkflow',
  scenarioRun: 'scenarioRunWorkflow',
  alert: 'alertWorkflow',
  digest: 'digestWorkflow',
  escalation: 'escalationWorkflow',
  testCheck: 'testCheckWorkflow',
  testRun: 'testRunWorkflow',
  housekeeping: 'housekeepingWorkflow',
  handOver: 'handOverWorkflow',
  notice: 'noticeWorkflow',
  watchdog: 'watchdogWorkflow',
  rollouts: 'rolloutsWorkflow',
} as const;

/** Custom search attributes. All are Keyword, except regions (KeywordList). */
export const SEARCH_ATTRIBUTES = {
  account: 'KeepwatchAccount',
  kind: 'KeepwatchKind',
  resource: 'KeepwatchResource',
  state: 'KeepwatchState',
  health: 'KeepwatchHealth',
  trigger: 'KeepwatchTrigger',
  regions: 'KeepwatchRegions',
} as const;

export function monitorWorkflowId(monitorId: string): string {
  return `monitor-${monitorId}`;
}

export function scenarioWorkflowId(scenarioId: string): string {
  return `scenario-${scenarioId}`;
}

export function scenarioRunWorkflowId(runId: string): string {
  return `scenario-run-${runId}`;
}

/** `testId` is the temporary id of the unsaved definition that is tested. */
export function testCheckWorkflowId(testId: string): string {
  return `test-${testId}`;
}

/** Signals that monitor and scenario workflows accept. `configure` is also an update. */
export const SIGNALS = {
  configure: 'configure',
  pause: 'pause',
  resume: 'resume',
  runNow: 'runNow',
  /** Drops a requested run that has not started. Cancels a run that has started. */
  cancelRun: 'cancelRun',
  /** Sends the complete plan of the next maintenance. */
  planMaintenance: 'planMaintenance',
  /** Sends an IncidentSilence: an acknowledgement, a snooze, or its end. */
  silence: 'silence',
  /** Reports that another build is current. With its next task, the workflow continues as new on that build. */
  moveOn: 'moveOn',
  /** Reports that the watch is overdue. The watch ends, and the workflow checks the next slot. */
  endWatch: 'endWatch',
  remove: 'remove',
} as const;

/** Query for the ids of requested runs that have not begun, and of requested runs that the workflow itself runs. */
export const PENDING_RUNS_QUERY = 'pendingRuns';

/** The details that operators may send with the signal `pause`, as plain JSON. */
export interface PauseNote {
  readonly by?: string;
  readonly reason?: string;
}

/** Like the signal `configure`, but returns once the configuration is in force. */
export const CONFIGURE_UPDATE = 'configureNow';

/** Like the signal `silence`, but returns once the change is in force. */
export const SILENCE_UPDATE = 'silenceNow';

/** The part of the configuration that workflows of monitors and of scenarios share. */
export interface ScheduleConfig {
  readonly accountId: string;
  readonly id: string;
  /** Grows with every change. A configuration with a lower version is ignored. */
  readonly version: number;
  /** The definition revision that checks use. */
  readonly revision: number;
  readonly intervalMs: number;
  /** Slots are anchor + k × interval. */
  readonly anchorMs: number;
  /** The key of the resource's group, for searches. May be empty. */
  readonly group: string;
  readonly regions: readonly string[];
  readonly paused: boolean;
  /** The name for alerts. */
  readonly name: string;
  readonly alerts: AlertRules;
  /** Shown in alerts. Absent if there is none. */
  readonly guidance?: Guidance;
  /** Ids of monitors and scenarios that this check depends on. */
  readonly dependsOn: readonly string[];
  /** When the pause began. null means that the resource is not paused. */
  readonly pausedAtMs: number | null;
  /** When the pause ends automatically. null means that the pause lasts until further notice. */
  readonly pausedUntilMs: number | null;
  /** When this version was saved. If this version ends a pause, the pause ends at this time. */
  readonly savedAtMs: number;
  /** The next maintenance. null means that the current plan stays in force. */
  readonly maintenance: MaintenancePlan | null;
}

export interface MonitorConfig extends ScheduleConfig, MonitorRules {
  /** The longest time that one check may take, including retries. */
  readonly budgetMs: number;
  /** How often a failed check is retried. If absent, the probe decides. */
  readonly retries?: number;
  /** People are warned this many days before the certificate expires. */
  readonly tlsWarnDays: readonly number[];
  readonly quorum: number;
  /** A passing response that is slower than this limit is degraded. Absent without a limit, and in older configs. */
  readonly degradedAboveMs?: number;
}

/** The facts about a step that a run needs. Everything else stays in the definition. */
export interface StepPlan {
  readonly name: string;
  /** An HTTP method, or another type of check in capitals, for example `TCP`. */
  readonly method: string;
  /** The host for display, without path, query or user. Empty if the host comes from a variable. */
  readonly host: string;
  readonly budgetMs: number;
  /** The variables that the step uses. null if unknown. The step then receives all variables. */
  readonly variables: readonly string[] | null;
  readonly tlsWarnDays: readonly number[];
  readonly always: boolean;
  /** The pause before the step. */
  readonly waitMs: number;
  /** Repeats the step until it passes. null means that the step is sent once. */
  readonly until: { readonly everyMs: number; readonly forMs: number } | null;
}

export interface ScenarioConfig extends ScheduleConfig {
  readonly steps: readonly StepPlan[];
  readonly timeoutSeconds: number;
  readonly onFailure: 'stop' | 'continue';
}

/** A request to check now, outside the schedule. */
export interface ManualCheck {
  /** Unique per request. A repeated signal with the same id is ignored. */
  readonly requestId: string;
  readonly requestedAtMs: number;
}

/** One run that was requested. Its secret variables are encrypted for this run alone. */
export interface RequestedRun {
  readonly runId: string;
  readonly region: string;
  readonly variables: RunVariables;
}

/** The origin of a run, as stated in the request for the run. */
export interface RunOrigin {
  readonly trigger: RunTrigger;
  readonly label: string | null;
  readonly source: RunSource | null;
  readonly countInUptime: boolean;
  readonly notify: boolean;
}

/**
 * A request to run a scenario now, once in each of the given regions. The API stores the runs as queued before it sends
 * the signal.
 */
export interface ManualRun extends RunOrigin {
  readonly runs: readonly RequestedRun[];
  readonly queuedAtMs: number;
  /** The environment of the runs. If absent, the runs use the scenario as it is saved. */
  readonly inEnvironment?: RunInEnvironment;
}

/** A scenario composed with another environment, for the runs of one request. */
export interface RunInEnvironment {
  /** Key of the environment. */
  readonly environment: string;
  /** The revision of the immutable definition that probes read. */
  readonly definitionRevision: number;
  /** The saved revision of the scenario that was composed with the environment, and the steps after composition. */
  readonly revision: number;
  readonly steps: readonly StepPlan[];
}

/** The state on which decisions about health depend, kept between slots. */
export interface HealthState {
  readonly health: Health;
  /** The last observed health, which is never `unknown`. */
  readonly lastKnown: Exclude<Health, 'unknown'>;
  readonly sinceMs: number;
  readonly failures: number;
  readonly successes: number;
  readonly regions: readonly RegionHealth[];
}

/** The state that every checked resource keeps when its workflow continues as new. */
interface ResourceState {
  readonly v: 1;
  readonly health: HealthState;
  /** The last slot that was run or recorded as a gap. null before the first slot. */
  readonly lastSlotMs: number | null;
  /** The definition revision of the last check. A newer revision is checked at once. */
  readonly checkedRevision: number | null;
  readonly alerts: AlertState;
  /** Pauses and maintenance that are over but not stored in the database yet. */
  readonly excludedPeriods: readonly ExcludedPeriod[];
  /** Slots that were not checked before a pause or during a check. They are recorded with the next slot. */
  readonly skipped: Gap | null;
  /** Earlier grids (anchor and interval) with possibly unstored slots, oldest first. Absent if there are none. */
  readonly formerGrids?: readonly Pick<ScheduleConfig, 'anchorMs' | 'intervalMs'>[];
  /** Certificates that people were warned of; at most 100. */
  readonly certificates: readonly WarnedCertificate[];
  readonly maintenance: MaintenanceState;
  /** The last change by an operator. null after it is stored. */
  readonly operatorChange: OperatorChange | null;
  /** The records that the database has not stored yet. */
  readonly backlog: Backlog;
}

export interface MonitorState extends ResourceState {
  readonly config: MonitorConfig;
  readonly manual: readonly ManualCheck[];
  /** Ids of the latest requests for checks. A repeated signal with one of these ids has no effect. */
  readonly doneRequests: readonly string[];
  /** Slots whose results watches may have stored. They are recorded with the next slot. */
  readonly unconfirmed: Gap | null;
  /** The last slot's outcomes, which a watch expects again. null if no watch is possible. */
  readonly steady: {
    readonly regions: readonly SteadyRegion[];
    readonly certificates: readonly SeenCertificate[];
  } | null;
}

export interface SteadyRegion {
  readonly region: string;
  readonly expected: SteadyOutcome;
}

export interface ScenarioState extends ResourceState {
  readonly config: ScenarioConfig;
  readonly manual: readonly ManualRun[];
  /**
   * Ids of the latest requested runs that began. A repeated signal with one of these ids has no effect. Absent if an
   * older version began this execution. All runs of such an execution have their own workflows.
   */
  readonly begunRuns?: readonly string[];
}
