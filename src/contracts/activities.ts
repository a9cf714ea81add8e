/**
 * The activities that workflows call, by queue. Inputs are references, so that histories are small and contain neither
 * definitions nor secrets.
 */
import type { ResourceKind } from './definition';
import type { StepOutcome } from './outcome';
import type {
  IncidentDecisionRecord,
  MonitorCheckRecord,
  OperatorChangeRecord,
  RunRecord,
  RunVariables,
  ScenarioSlotRecord,
} from './records';
import type { LostProbe, StoredOutcome, StoredOutcomesQuestion, Watch, WatchEnd } from './watches';

/** Refers to one step of one immutable definition revision. */
export interface StepReference {
  readonly accountId: string;
  readonly kind: ResourceKind;
  readonly id: string;
  readonly revision: number;
  readonly stepIndex: number;
  readonly slotMs: number;
  readonly runId?: string;
  /** The time left for the run. The step and all its tries must end within it. */
  readonly limitMs?: number;
  /** Values of the run so far: given variables and extracted ones. */
  readonly vars?: RunVariables;
  /** The cookies of the run so far, encrypted. */
  readonly cookies?: string;
  /** Generated values of the run. A repeated step sends the same values. */
  readonly generated?: GeneratedValues;
}

/** The values of `{{$uuid}}`, `{{$now}}` and `{{$runId}}`; the probe itself knows `{{$region}}`. */
export interface GeneratedValues {
  readonly uuid: string;
  readonly now: string;
  readonly runId: string;
}

/** Failure type of a step whose probe was stopped while it ran the step. */
export const PROBE_STOPPED = 'probe_stopped';

/** Served by probes on the task queue `probe-<region>`. */
export interface ProbeActivities {
  /** Runs one step. Every failure of the target is an outcome. Throws only before anything is sent. */
  readonly runHttpStep: (step: StepReference) => Promise<StepOutcome>;
}

export interface StretchStep {
  readonly stepIndex: number;
  /** Names of the variables that the step gets. null means all of them. */
  readonly variables: readonly string[] | null;
}

/** The progress of a stretch of steps: the heartbeat details of its activity. */
export interface StretchProgress {
  /** The outcomes of the completed steps, in order. The next step may have been sent. */
  readonly outcomes: readonly StepOutcome[];
  /** The step that is running, for operators. */
  readonly underWay: string;
}

/** Served by probes on the task queue `probe-<region>`. */
export interface StretchActivities {
  /**
   * Runs consecutive steps and returns their outcomes: at least one, and none after a failed step. Temporal knows each
   * outcome before the next step is sent. Older probes run only the first step.
   */
  readonly runHttpStep: (
    first: StepReference,
    steps: readonly StretchStep[],
  ) => Promise<readonly StepOutcome[]>;
}

/** Served by probes on the task queue `watch-<region>`. */
export interface WatchActivities {
  /**
   * Makes one check per slot and sends the results to the API. Ends when an outcome differs, its time is over, or it is
   * cancelled; always returns a WatchEnd. The watch of a lost probe continues on another probe.
   */
  readonly watchMonitor: (watch: Watch) => Promise<WatchEnd>;
}

/** The result of recording, for the workflow. */
export interface RecordOutcome {
  /** The resource no longer exists, so the workflow ends. */
  readonly gone: boolean;
  /** True means that the workflow may leave checks to watches while nothing changes. */
  readonly mayBeWatched?: boolean;
}

/** The result of recording a change by an operator, for the workflow. */
export interface OperatorChangeOutcome extends RecordOutcome {
  /** The version under which the change was saved. null means that something newer is saved. */
  readonly version: number | null;
}

/** Served by the orchestrator. */
export interface HandOverActivities {
  /**
   * Moves the watches of a lost probe to other probes, earliest next slot first. Returns their number. Stops if the
   * probe reports again. May be repeated.
   */
  readonly handOverWatches: (probe: LostProbe) => Promise<number>;
}

/** Served by the orchestrator, as local activities. All are idempotent. */
export interface RecordActivities {
  /** Stores the results of all regions of one slot, and the monitor's status. Idempotent by slot. */
  readonly recordMonitorCheck: (record: MonitorCheckRecord) => Promise<RecordOutcome>;
  /** Stores the status of a scenario after a slot, and gaps. Idempotent by slot. */
  readonly recordScenarioSlot: (record: ScenarioSlotRecord) => Promise<RecordOutcome>;
  /** Stores the current state of a run. A finished run never changes again; it counts as gone. */
  readonly saveRun: (run: RunRecord) => Promise<RecordOutcome>;
  /** Saves a pause or resume by an operator, unless people have saved something since. */
  readonly saveOperatorChange: (record: OperatorChangeRecord) => Promise<OperatorChangeOutcome>;
  /** Stores decisions about an open incident. Returns false if the incident is not stored yet. */
  readonly saveDecisions: (record: IncidentDecisionRecord) => Promise<boolean>;
  /** Returns the newest stored result of each region between the slots. Regions without a result are left out. */
  readonly readStoredOutcomes: (
    question: StoredOutcomesQuestion,
  ) => Promise<readonly StoredOutcome[]>;
}
