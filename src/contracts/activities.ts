/**
 * The activities that workflows call, by queue. Inputs are references, so that workflow histories are small and contain
 * neither definitions nor secrets.
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
  /** The time that is left for the run. The step and all its tries must end within this time. */
  readonly limitMs?: number;
  /** The values of the run so far: given variables, and values that steps extracted. */
  readonly vars?: RunVariables;
  /** The cookies of the run so far, encrypted. */
  readonly cookies?: string;
  /** Values that were generated once for the run. A step that is repeated sends the same values. */
  readonly generated?: GeneratedValues;
}

/**
 * The values of `{{$uuid}}`, `{{$now}}` and `{{$runId}}`. `{{$region}}` is missing, because the probe knows its region.
 */
export interface GeneratedValues {
  readonly uuid: string;
  readonly now: string;
  readonly runId: string;
}

/** Failure type of a step whose probe was stopped during the step. */
export const PROBE_STOPPED = 'probe_stopped';

/** Activities that probes serve on the task queue `probe-<region>`. */
export interface ProbeActivities {
  /**
   * Runs one step. Every failure of the target is returned as an outcome. Throws only if nothing was sent, or with the
   * type PROBE_STOPPED if the probe was stopped while it ran the step.
   */
  readonly runHttpStep: (step: StepReference) => Promise<StepOutcome>;
}

export interface StretchStep {
  readonly stepIndex: number;
  /** Names of the variables that the step gets. null means all of them. */
  readonly variables: readonly string[] | null;
}

/**
 * The progress of a stretch, which is a series of steps in one activity. It is stored in the heartbeat details of the
 * activity.
 */
export interface StretchProgress {
  /** The outcomes of the completed steps, in order. The step after them may have been sent. */
  readonly outcomes: readonly StepOutcome[];
  /** The step that is running, in words for operators. */
  readonly underWay: string;
}

/** Activities that probes serve on the task queue `probe-<region>`. */
export interface StretchActivities {
  /**
   * Runs consecutive steps and returns their outcomes: at least one, and none after a failed step. Temporal stores each
   * outcome before the next step is sent. Older probes run only the first step.
   */
  readonly runHttpStep: (
    first: StepReference,
    steps: readonly StretchStep[],
  ) => Promise<readonly StepOutcome[]>;
}

/** Activities that probes serve on the task queue `watch-<region>`. */
export interface WatchActivities {
  /**
   * Makes one check per slot and sends the results to the API. Ends when an outcome differs from the expected outcome,
   * when the time of the watch is over, or when the watch is cancelled. Always returns a WatchEnd. If the probe is lost,
   * the watch continues on another probe.
   */
  readonly watchMonitor: (watch: Watch) => Promise<WatchEnd>;
}

/** The result of storing a record. The workflow gets this result. */
export interface RecordOutcome {
  /** True if the resource no longer exists. The workflow then ends. */
  readonly gone: boolean;
  /**
   * True means that the workflow may leave checks to watches (activities that repeat steady checks) while nothing
   * changes.
   */
  readonly mayBeWatched?: boolean;
}

/** The result of storing a change by an operator. The workflow gets this result. */
export interface OperatorChangeOutcome extends RecordOutcome {
  /** The version under which the change was saved. null means that a newer change is saved already. */
  readonly version: number | null;
}

/** Activities that the orchestrator serves. */
export interface HandOverActivities {
  /**
   * Moves the watches of a lost probe to other probes, earliest next slot first. Returns the number of moved watches.
   * Stops if the probe reports again. Calls can be repeated safely.
   */
  readonly handOverWatches: (probe: LostProbe) => Promise<number>;
}

/** Activities that the orchestrator serves, as local activities. All of them are idempotent. */
export interface RecordActivities {
  /** Stores the results of all regions for one slot, and the monitor's status. Idempotent by slot. */
  readonly recordMonitorCheck: (record: MonitorCheckRecord) => Promise<RecordOutcome>;
  /** Stores the status of a scenario after a slot, and gaps. Idempotent by slot. */
  readonly recordScenarioSlot: (record: ScenarioSlotRecord) => Promise<RecordOutcome>;
  /**
   * Stores the current state of a run. A run that is already stored as finished is not changed; `gone` is then true.
   */
  readonly saveRun: (run: RunRecord) => Promise<RecordOutcome>;
  /** Saves a pause or resume by an operator. Changes nothing if a newer change has been saved. */
  readonly saveOperatorChange: (record: OperatorChangeRecord) => Promise<OperatorChangeOutcome>;
  /** Stores decisions about an open incident. Returns false if the incident is not stored yet. */
  readonly saveDecisions: (record: IncidentDecisionRecord) => Promise<boolean>;
  /**
   * Returns the newest stored result of each region in the given range of slots. Regions without a result are left out.
   */
  readonly readStoredOutcomes: (
    question: StoredOutcomesQuestion,
  ) => Promise<readonly StoredOutcome[]>;
}
