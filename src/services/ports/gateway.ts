/**
 * The calls to Temporal that use cases need. Every call has a deadline and throws AppError `unavailable` if Temporal
 * does not respond in time.
 */
import type { SubjectType } from '../../contracts/alerting/identity-providers';
import type { AlertInput, DeliveryRecord, IncidentSilence } from '../../contracts/alerts';
import type { ResourceKind } from '../../contracts/definition';
import type { HeartbeatConfig, HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { MaintenancePlan } from '../../contracts/maintenance';
import type { StepOutcome } from '../../contracts/outcome';
import type { RunRecord } from '../../contracts/records';
import type { ScenarioRunInput } from '../../contracts/scenario-run';
import type { LostProbe } from '../../contracts/watches';
import type {
  ManualCheck,
  ManualRun,
  MonitorConfig,
  MonitorState,
  ScenarioConfig,
  ScenarioState,
  ScheduleConfig,
} from '../../contracts/workflows';

/** The facts that Temporal reports about itself. */
export interface TemporalFacts {
  readonly version: string;
  /** The database of Temporal. null if unknown. */
  readonly persistence: string | null;
}

/** A workflow whose task fails repeatedly. It makes no progress until the cause is fixed. */
export interface StuckWorkflow {
  readonly workflowId: string;
  readonly workflowType: string;
  /** The cause as Temporal names it. */
  readonly cause: string;
  /** null if there is no account, or if it is unknown. */
  readonly accountId: string | null;
  readonly resourceType: 'monitor' | 'scenario' | null;
  readonly resourceId: string | null;
}

/** Tasks of a queue that wait for a worker. */
export interface QueueBacklog {
  readonly queue: string;
  readonly tasks: number;
  readonly oldestMs: number;
}

export interface WorkflowGateway {
  /** Starts the monitor's workflow or sends it the configuration; a lost workflow is restarted. */
  readonly configureMonitor: (config: MonitorConfig | HeartbeatConfig) => Promise<void>;
  /** Sends the configuration to the running workflow. Returns false if there is none. */
  readonly sendConfig: (kind: ResourceKind, config: ScheduleConfig) => Promise<boolean>;
  /**
   * Like configureMonitor, but resolves after the configuration is in force, if possible. A lost workflow starts with
   * the health and the open incident of `lost`.
   */
  readonly configureMonitorNow: (
    config: MonitorConfig | HeartbeatConfig,
    lost?: MonitorState | HeartbeatState,
  ) => Promise<void>;
  /** Notifies the heartbeat's workflow of a ping. Succeeds without a workflow. */
  readonly notifyHeartbeat: (monitorId: string) => Promise<void>;
  /** Requests an immediate check; a lost workflow starts from `lost`. */
  readonly checkMonitorNow: (
    config: MonitorConfig,
    check: ManualCheck,
    lost?: MonitorState,
  ) => Promise<void>;
  /** Checks once, from the first region, without a saved monitor. Returns the outcome within `deadlineMs`. */
  readonly testMonitor: (config: MonitorConfig, deadlineMs: number) => Promise<StepOutcome>;
  /** Ends the workflow and cancels a check in flight; succeeds when there is no workflow. */
  readonly removeMonitor: (monitorId: string) => Promise<void>;
  readonly configureScenario: (config: ScenarioConfig) => Promise<void>;
  readonly configureScenarioNow: (config: ScenarioConfig, lost?: ScenarioState) => Promise<void>;
  readonly runScenarioNow: (
    config: ScenarioConfig,
    run: ManualRun,
    lost?: ScenarioState,
  ) => Promise<void>;
  /**
   * Asks a run to end, or drops it before its start. False means that the run is not in progress.
   */
  readonly cancelRun: (scenarioId: string, runId: string) => Promise<boolean>;
  /** Runs an unsaved scenario once; returns its record within `deadlineMs`. */
  readonly testScenario: (run: ScenarioRunInput, deadlineMs: number) => Promise<RunRecord>;
  /** Sends the workflow the upcoming maintenance; succeeds when there is no workflow. */
  readonly planMaintenance: (
    kind: ResourceKind,
    id: string,
    plan: MaintenancePlan,
  ) => Promise<void>;
  /**
   * Sends the acknowledgement or snooze to the workflow, and resolves once it applies. Succeeds without a workflow,
   * because the next workflow reads the incident from the database.
   */
  readonly silence: (kind: SubjectType, id: string, silence: IncidentSilence) => Promise<void>;
  readonly removeScenario: (scenarioId: string) => Promise<void>;
  /** Starts the workflow of the account's rollouts, or signals that another rollout is stored. */
  readonly wakeRollouts: (accountId: string) => Promise<void>;
  /** Sends an alert and returns the outcome for each target, within `deadlineMs`. */
  readonly sendAlert: (input: AlertInput, deadlineMs: number) => Promise<readonly DeliveryRecord[]>;
  /** Starts the hand-over of a lost probe's watches, or lets it continue. */
  readonly handOver: (probe: LostProbe) => Promise<void>;
  /**
   * Fails an attempt of a watch, so that Temporal retries it on another probe. False: it had ended.
   * @param reason for operators.
   */
  readonly failWatch: (taskToken: string, reason: string) => Promise<boolean>;
  /**
   * Fails an attempt that a probe took but did not open, for example because the probe hangs.
   * Temporal retries it. False means that no probe has taken an attempt.
   */
  readonly failUnopenedWatch: (
    watch: { readonly monitorId: string; readonly region: string },
    reason: string,
  ) => Promise<boolean>;
  /** Ends the watch, so that the monitor's workflow schedules the checks itself. Succeeds without a workflow. */
  readonly endWatch: (monitorId: string) => Promise<void>;
  /** Backlogs of the activity queues; throws if Temporal is unavailable. */
  readonly readBacklogs: (
    queues: readonly string[],
    deadlineMs: number,
  ) => Promise<readonly QueueBacklog[]>;
  /** Stuck workflows of all accounts; Temporal lists a workflow a few seconds after its third failed attempt. */
  readonly listStuck: (deadlineMs: number) => Promise<readonly StuckWorkflow[]>;
  /** Resolves within `deadlineMs` or throws. */
  readonly describe: (deadlineMs: number) => Promise<TemporalFacts>;
  /** Resolves within `deadlineMs` or throws. */
  readonly ping: (deadlineMs: number) => Promise<void>;
}
