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

/** Facts that Temporal reports about itself. */
export interface TemporalFacts {
  readonly version: string;
  /** The database of Temporal. null if unknown. */
  readonly persistence: string | null;
}

/** A workflow whose task fails repeatedly. It makes no progress until the cause is fixed. */
export interface StuckWorkflow {
  readonly workflowId: string;
  readonly workflowType: string;
  /** The cause in Temporal's words. */
  readonly cause: string;
  /** The account. null if the workflow belongs to no account, or if the account is unknown. */
  readonly accountId: string | null;
  readonly resourceType: 'monitor' | 'scenario' | null;
  readonly resourceId: string | null;
}

/** How many tasks of a queue wait for a worker. */
export interface QueueBacklog {
  readonly queue: string;
  readonly tasks: number;
  readonly oldestMs: number;
}

export interface WorkflowGateway {
  /** Sends the configuration to the monitor's workflow. Starts the workflow if there is none. */
  readonly configureMonitor: (config: MonitorConfig | HeartbeatConfig) => Promise<void>;
  /** Sends the configuration to the running workflow. Returns false if no workflow is running. */
  readonly sendConfig: (kind: ResourceKind, config: ScheduleConfig) => Promise<boolean>;
  /**
   * Like configureMonitor, but resolves after the configuration has taken effect, if possible. A lost workflow starts
   * with the health and the open incident of `lost`.
   */
  readonly configureMonitorNow: (
    config: MonitorConfig | HeartbeatConfig,
    lost?: MonitorState | HeartbeatState,
  ) => Promise<void>;
  /** Notifies the heartbeat's workflow of a ping. Succeeds if there is no workflow. */
  readonly notifyHeartbeat: (monitorId: string) => Promise<void>;
  /** Requests an immediate check. A lost workflow starts with the state in `lost`. */
  readonly checkMonitorNow: (
    config: MonitorConfig,
    check: ManualCheck,
    lost?: MonitorState,
  ) => Promise<void>;
  /** Runs one check from the first region, without a saved monitor. Returns the outcome within `deadlineMs`. */
  readonly testMonitor: (config: MonitorConfig, deadlineMs: number) => Promise<StepOutcome>;
  /** Ends the workflow and cancels a running check. Succeeds if there is no workflow. */
  readonly removeMonitor: (monitorId: string) => Promise<void>;
  readonly configureScenario: (config: ScenarioConfig) => Promise<void>;
  readonly configureScenarioNow: (config: ScenarioConfig, lost?: ScenarioState) => Promise<void>;
  readonly runScenarioNow: (
    config: ScenarioConfig,
    run: ManualRun,
    lost?: ScenarioState,
  ) => Promise<void>;
  /**
   * Asks a run to end, or removes it from the queue if it has not started. Returns false if the run is neither queued
   * nor in progress.
   */
  readonly cancelRun: (scenarioId: string, runId: string) => Promise<boolean>;
  /** Runs an unsaved scenario once. Returns its record within `deadlineMs`. */
  readonly testScenario: (run: ScenarioRunInput, deadlineMs: number) => Promise<RunRecord>;
  /** Sends the next maintenance to the workflow. Succeeds if there is no workflow. */
  readonly planMaintenance: (
    kind: ResourceKind,
    id: string,
    plan: MaintenancePlan,
  ) => Promise<void>;
  /**
   * Sends the acknowledgement or snooze to the workflow, and resolves after it has taken effect. Succeeds if there is
   * no workflow, because the next workflow reads the incident from the database.
   */
  readonly silence: (kind: SubjectType, id: string, silence: IncidentSilence) => Promise<void>;
  readonly removeScenario: (scenarioId: string) => Promise<void>;
  /** Wakes the workflow that carries out the account's rollouts. Starts it if it is not running. */
  readonly wakeRollouts: (accountId: string) => Promise<void>;
  /** Sends an alert and returns the outcome for each target, within `deadlineMs`. */
  readonly sendAlert: (input: AlertInput, deadlineMs: number) => Promise<readonly DeliveryRecord[]>;
  /** Starts moving the watches of a lost probe to other probes. If this has already started, it continues. */
  readonly handOver: (probe: LostProbe) => Promise<void>;
  /**
   * Fails an attempt of a watch, so that Temporal retries it on another probe. Returns false if the attempt had ended.
   * @param reason The reason, for operators.
   */
  readonly failWatch: (taskToken: string, reason: string) => Promise<boolean>;
  /**
   * Fails an attempt of a watch that a probe received but never opened, for example because the probe hangs. Temporal
   * then retries it. Returns false if no probe has received an attempt.
   */
  readonly failUnopenedWatch: (
    watch: { readonly monitorId: string; readonly region: string },
    reason: string,
  ) => Promise<boolean>;
  /** Ends the watch. The monitor's workflow then makes the checks itself. Succeeds if there is no workflow. */
  readonly endWatch: (monitorId: string) => Promise<void>;
  /** Reads how many tasks wait in the activity queues. Throws if Temporal is unavailable. */
  readonly readBacklogs: (
    queues: readonly string[],
    deadlineMs: number,
  ) => Promise<readonly QueueBacklog[]>;
  /** Lists the stuck workflows of all accounts. A workflow is listed a few seconds after its third failed attempt. */
  readonly listStuck: (deadlineMs: number) => Promise<readonly StuckWorkflow[]>;
  /** Returns the facts within `deadlineMs`, or throws. */
  readonly describe: (deadlineMs: number) => Promise<TemporalFacts>;
  /** Asks Temporal whether it responds. Throws if there is no response within `deadlineMs`. */
  readonly ping: (deadlineMs: number) => Promise<void>;
}
