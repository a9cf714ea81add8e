/**
 * What use cases ask of Temporal. Implemented by src/temporal; every call has a deadline
 * and throws AppError `unavailable` when Temporal does not answer in time.
 */
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
} from '../../contracts/workflows';

/** What Temporal says of itself. */
export interface TemporalFacts {
  readonly version: string;
  /** The kind of database it keeps its own data in; null when it does not say. */
  readonly persistence: string | null;
}

/** A workflow whose task fails again and again: it does nothing until the cause is gone. */
export interface StuckWorkflow {
  readonly workflowId: string;
  readonly workflowType: string;
  /** As Temporal names it. */
  readonly cause: string;
  /** null: it is of no account, or its account is not known. */
  readonly accountId: string | null;
  readonly resourceType: 'monitor' | 'scenario' | null;
  readonly resourceId: string | null;
}

/** What waits for a worker. */
export interface QueueBacklog {
  readonly queue: string;
  readonly tasks: number;
  readonly oldestMs: number;
}

export interface WorkflowGateway {
  /** Starts the monitor's workflow or hands it the configuration; a lost workflow is started again. */
  readonly configureMonitor: (config: MonitorConfig | HeartbeatConfig) => Promise<void>;
  /**
   * As configureMonitor, but answers after the configuration is in force, or falls back to it. A lost
   * workflow begins with `lost`, so that its health and its open incident are not forgotten.
   */
  readonly configureMonitorNow: (
    config: MonitorConfig | HeartbeatConfig,
    lost?: MonitorState | HeartbeatState,
  ) => Promise<void>;
  /** Tells the heartbeat that a ping has arrived; succeeds when there is no workflow to tell. */
  readonly ringHeartbeat: (monitorId: string) => Promise<void>;
  /** Asks for a check now; a lost workflow begins with `lost`. */
  readonly checkMonitorNow: (
    config: MonitorConfig,
    check: ManualCheck,
    lost?: MonitorState,
  ) => Promise<void>;
  /** Checks once without a monitor, from the first region; the outcome within `deadlineMs`. */
  readonly testMonitor: (config: MonitorConfig, deadlineMs: number) => Promise<StepOutcome>;
  /** Ends the workflow and cancels a check in flight; succeeds when there is none. */
  readonly removeMonitor: (monitorId: string) => Promise<void>;
  readonly configureScenario: (config: ScenarioConfig) => Promise<void>;
  readonly configureScenarioNow: (config: ScenarioConfig, lost?: ScenarioState) => Promise<void>;
  readonly runScenarioNow: (
    config: ScenarioConfig,
    run: ManualRun,
    lost?: ScenarioState,
  ) => Promise<void>;
  /**
   * Asks a run to end; false when there is none under way: one that has not begun is forgotten
   * then.
   */
  readonly cancelRun: (scenarioId: string, runId: string) => Promise<boolean>;
  /** Runs a scenario once that is not saved; its record within `deadlineMs`. */
  readonly testScenario: (run: ScenarioRunInput, deadlineMs: number) => Promise<RunRecord>;
  /** Tells the workflow what maintenance is next; succeeds when there is none to tell. */
  readonly planMaintenance: (
    kind: ResourceKind,
    id: string,
    plan: MaintenancePlan,
  ) => Promise<void>;
  /**
   * How people answered an open incident; in force when it resolves. Succeeds when there is no
   * workflow: it begins with what the database knows of the incident.
   */
  readonly silence: (kind: ResourceKind, id: string, silence: IncidentSilence) => Promise<void>;
  readonly removeScenario: (scenarioId: string) => Promise<void>;
  /** Sends an alert and returns what became of it at each place, within `deadlineMs`. */
  readonly sendAlert: (input: AlertInput, deadlineMs: number) => Promise<readonly DeliveryRecord[]>;
  /** Has the watches of a lost probe handed over; a hand-over of it that is under way goes on. */
  readonly handOver: (probe: LostProbe) => Promise<void>;
  /**
   * Ends an attempt of a watch, so that the server repeats it on another probe. False: it was over already.
   * @param reason for operators.
   */
  readonly failWatch: (taskToken: string, reason: string) => Promise<boolean>;
  /**
   * Ends the attempt that some probe took and has not opened, as one that hangs does; the server repeats it. False:
   * no probe has taken one.
   */
  readonly failUnopenedWatch: (
    watch: { readonly monitorId: string; readonly region: string },
    reason: string,
  ) => Promise<boolean>;
  /** Has the monitor's workflow take its checks back; succeeds when there is none. */
  readonly endWatch: (monitorId: string) => Promise<void>;
  /** What waits on the queues of activities; throws when Temporal is away. */
  readonly readBacklogs: (
    queues: readonly string[],
    deadlineMs: number,
  ) => Promise<readonly QueueBacklog[]>;
  /** Of all accounts; Temporal lists one some seconds after its third failed try. */
  readonly listStuck: (deadlineMs: number) => Promise<readonly StuckWorkflow[]>;
  /** Answers within `deadlineMs` or throws. */
  readonly describe: (deadlineMs: number) => Promise<TemporalFacts>;
  /** Answers within `deadlineMs` or throws. */
  readonly ping: (deadlineMs: number) => Promise<void>;
}
