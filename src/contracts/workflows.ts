/**
 * Names and arguments of the workflows: ids, types, task queues, signals, updates, and the state
 * that travels through continue-as-new.
 */
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

/** Watches have their own queue: they occupy worker slots for days, and must not wait behind checks. */
export function watchQueue(region: string): string {
  return `watch-${region}`;
}

/** One at a time for each probe process that is lost. */
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
} as const;

/** Custom search attributes that the namespace must have; all Keyword, regions a KeywordList. */
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

/** `testId`: what the unsaved definition is stored under meanwhile. */
export function testCheckWorkflowId(testId: string): string {
  return `test-${testId}`;
}

/** Signals (and updates, for `configure`) that monitor and scenario workflows take. */
export const SIGNALS = {
  configure: 'configure',
  pause: 'pause',
  resume: 'resume',
  runNow: 'runNow',
  /** Drops a requested run that has not begun, or cancels it. */
  cancelRun: 'cancelRun',
  /** The whole plan of the next maintenance. */
  planMaintenance: 'planMaintenance',
  /** Someone acknowledged or snoozed the open incident, or undid it: an IncidentSilence. */
  silence: 'silence',
  /** Another build of the workflows is current: the next task continues as new on it. */
  moveOn: 'moveOn',
  /** The checks of the watch are overdue: the watch ends, and the workflow checks the next slot. */
  endWatch: 'endWatch',
  remove: 'remove',
} as const;

/** A scenario lists the ids of requested runs whose workflow may not exist yet. */
export const PENDING_RUNS_QUERY = 'pendingRuns';

/** The facts that operators may send with `pause`, as plain JSON. */
export interface PauseNote {
  readonly by?: string;
  readonly reason?: string;
}

/** An update with the same argument as the signal; it returns once the new configuration is in force. */
export const CONFIGURE_UPDATE = 'configureNow';

/** An update with the same argument as the signal `silence`; it returns once the response is in force. */
export const SILENCE_UPDATE = 'silenceNow';

/** The facts that both kinds of long-running workflow need to keep time. */
export interface ScheduleConfig {
  readonly accountId: string;
  readonly id: string;
  /** Grows with every change; a configuration older than the one in force is ignored. */
  readonly version: number;
  /** The definition revision that checks use. */
  readonly revision: number;
  readonly intervalMs: number;
  /** Slots are anchor + k × interval. */
  readonly anchorMs: number;
  /** The group key, for searches; may be empty. */
  readonly group: string;
  readonly regions: readonly string[];
  readonly paused: boolean;
  /** Used in alerts only: never part of an id, a summary or a search attribute. */
  readonly name: string;
  readonly alerts: AlertRules;
  /** For alerts; of a note only the first lines; absent: there is none. */
  readonly guidance?: Guidance;
  /** Ids of monitors and scenarios whose failure explains a failure of this one. */
  readonly dependsOn: readonly string[];
  /** When the pause began; null when it is not paused. */
  readonly pausedAtMs: number | null;
  /** When a pause ends by itself; null for a pause until further notice. */
  readonly pausedUntilMs: number | null;
  /** When this version was saved: what the change ends, such as a pause, ended then. */
  readonly savedAtMs: number;
  /** The next maintenance; null: the plan in force stays. */
  readonly maintenance: MaintenancePlan | null;
}

export interface MonitorConfig extends ScheduleConfig, MonitorRules {
  /** The longest that one check may take, retries included. */
  readonly budgetMs: number;
  /** How often a failed check is retried; absent: not known, and left to the probe. */
  readonly retries?: number;
  /** Days before its certificate expires at which people are warned. */
  readonly tlsWarnDays: readonly number[];
  readonly quorum: number;
}

/** The facts about a step that a run needs; the rest stays in the definition. */
export interface StepPlan {
  readonly name: string;
  /** An HTTP method, or the name of another type of check in capitals, like `TCP`. */
  readonly method: string;
  /** Host for display, without path, query or user; empty when it comes from a variable. */
  readonly host: string;
  readonly budgetMs: number;
  /** Names of the variables that it fills in; null: not known, and it gets all of them. */
  readonly variables: readonly string[] | null;
  readonly tlsWarnDays: readonly number[];
  readonly always: boolean;
  /** The pause before it. */
  readonly waitMs: number;
  /** Repeats it until it passes; null: it is sent once. */
  readonly until: { readonly everyMs: number; readonly forMs: number } | null;
}

export interface ScenarioConfig extends ScheduleConfig {
  readonly steps: readonly StepPlan[];
  readonly timeoutSeconds: number;
  readonly onFailure: 'stop' | 'continue';
}

/** A request to check now, outside the schedule. */
export interface ManualCheck {
  /** Unique per request; a repeated signal with the same id is ignored. */
  readonly requestId: string;
  readonly requestedAtMs: number;
}

/** One run of a request; its secret variables are sealed for this run alone. */
export interface RequestedRun {
  readonly runId: string;
  readonly region: string;
  readonly variables: RunVariables;
}

/** The origin of runs, as their request states it. */
export interface RunOrigin {
  readonly trigger: RunTrigger;
  readonly label: string | null;
  readonly source: RunSource | null;
  readonly countInUptime: boolean;
  readonly notify: boolean;
}

/**
 * A request to run a scenario now, once in each of some regions. The API has stored the runs as
 * queued before it signals.
 */
export interface ManualRun extends RunOrigin {
  readonly runs: readonly RequestedRun[];
  readonly queuedAtMs: number;
}

/** The state that health decisions keep between slots. */
export interface HealthState {
  readonly health: Health;
  /** The last health that was observed: never `unknown`, so that a time without observations forgets nothing. */
  readonly lastKnown: Exclude<Health, 'unknown'>;
  readonly sinceMs: number;
  readonly failures: number;
  readonly successes: number;
  readonly regions: readonly RegionHealth[];
}

/** The state that every checked resource carries through continue-as-new. */
interface ResourceState {
  readonly v: 1;
  readonly health: HealthState;
  /** The last slot that was run or recorded as a gap; null before the first. */
  readonly lastSlotMs: number | null;
  /** The definition revision that was last checked; a newer one is checked at once. */
  readonly checkedRevision: number | null;
  readonly alerts: AlertState;
  /** Pauses and maintenance that are over and not yet in the database. */
  readonly excludedPeriods: readonly ExcludedPeriod[];
  /** Slots left unchecked before a pause, or that passed during a check; recorded with the next slot. */
  readonly skipped: Gap | null;
  /** Certificates that people were warned of; at most 100. */
  readonly certificates: readonly WarnedCertificate[];
  readonly maintenance: MaintenanceState;
  /** The last change by an operator, until the database has it. */
  readonly operatorChange: OperatorChange | null;
  /** The records that the database has not stored yet. */
  readonly backlog: Backlog;
}

export interface MonitorState extends ResourceState {
  readonly config: MonitorConfig;
  readonly manual: readonly ManualCheck[];
  /** Ids of the last requests that were checked, so that a repeated signal changes nothing. */
  readonly doneRequests: readonly string[];
  /** Slots of watches that may or may not be stored; recorded with the next slot. */
  readonly unconfirmed: Gap | null;
  /** The outcomes of the last slot, which a watch expects again; null: a watch cannot make such checks. */
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
}
