/**
 * The activities that workflows call, by queue. Inputs are references, so that a history stays
 * small and holds no definition and no secret.
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

/** Points at one step of one immutable definition revision. */
export interface StepReference {
  readonly accountId: string;
  readonly kind: ResourceKind;
  readonly id: string;
  readonly revision: number;
  readonly stepIndex: number;
  readonly slotMs: number;
  readonly runId?: string;
  /** The rest of the time limit of the run: the step ends within it, with all its tries. */
  readonly limitMs?: number;
  /** Values of the run so far: given variables and extracted ones. */
  readonly vars?: RunVariables;
  /** Cookies of the run so far, sealed. */
  readonly cookies?: string;
  /** Fixed once per run, so that a repeated step sends the same values. */
  readonly generated?: GeneratedValues;
}

/** The values of `{{$uuid}}`, `{{$now}}` and `{{$runId}}`; the probe itself knows `{{$region}}`. */
export interface GeneratedValues {
  readonly uuid: string;
  readonly now: string;
  readonly runId: string;
}

/** Type of the failure of a step whose probe was stopped while carrying it out. */
export const PROBE_STOPPED = 'probe_stopped';

/** Served by probes on `probe-<region>`. */
export interface ProbeActivities {
  /**
   * Carries out one step and measures it. Every failure of the target is an outcome; it throws only if
   * the step could not be read or prepared (nothing has been sent then).
   */
  readonly runHttpStep: (step: StepReference) => Promise<StepOutcome>;
}

/** One of several consecutive steps. */
export interface StretchStep {
  readonly stepIndex: number;
  /** Names of the variables that it gets; null: all of them. */
  readonly variables: readonly string[] | null;
}

/** The progress of a stretch of steps: the heartbeat details of its activity. */
export interface StretchProgress {
  /** The outcomes of the steps that have ended, in order; the next step may have been sent. */
  readonly outcomes: readonly StepOutcome[];
  /** For operators. */
  readonly underWay: string;
}

/** Served by probes on `probe-<region>`. */
export interface StretchActivities {
  /**
   * Carries out steps one after the other, beginning with the referenced one, and returns the outcomes of those that
   * have ended: at least one, and none after one that did not pass. Temporal knows each outcome before the next step is
   * sent. A probe from before stretches returns the outcome of the first step.
   */
  readonly runHttpStep: (
    first: StepReference,
    steps: readonly StretchStep[],
  ) => Promise<readonly StepOutcome[]>;
}

/** Served by probes on `watch-<region>`. */
export interface WatchActivities {
  /**
   * Makes one check per slot and has the API store it, until an outcome differs, its time is over or the workflow
   * cancels it; the cancellation carries a WatchEnd, too. The watch of a lost probe continues at another probe.
   */
  readonly watchMonitor: (watch: Watch) => Promise<WatchEnd>;
}

/** The result of recording, for the workflow. */
export interface RecordOutcome {
  /** The resource no longer exists: the workflow ends. */
  readonly gone: boolean;
  /** True: checks may be left to watches while nothing changes. */
  readonly mayBeWatched?: boolean;
}

/** The result of recording a change by an operator, for the workflow. */
export interface OperatorChangeOutcome extends RecordOutcome {
  /** The version under which the change is saved; null if something newer is. */
  readonly version: number | null;
}

/** Served by the orchestrator. */
export interface HandOverActivities {
  /**
   * Has the server retry the watches of a lost probe elsewhere, those with the next slots first, and returns how many.
   * Stops if the probe reports again. May be repeated.
   */
  readonly handOverWatches: (probe: LostProbe) => Promise<number>;
}

/** Served by the orchestrator, as local activities. All are idempotent. */
export interface RecordActivities {
  /** Stores the results of all regions of one slot and the monitor's status; idempotent by slot. */
  readonly recordMonitorCheck: (record: MonitorCheckRecord) => Promise<RecordOutcome>;
  /** Stores the status of a scenario after a slot, and gaps; idempotent by slot. */
  readonly recordScenarioSlot: (record: ScenarioSlotRecord) => Promise<RecordOutcome>;
  /** Stores a run as it is now, forward only: a finished run is never changed again. */
  readonly saveRun: (run: RunRecord) => Promise<RecordOutcome>;
  /** Saves a pause or its end that came from an operator, unless people have saved something since. */
  readonly saveOperatorChange: (record: OperatorChangeRecord) => Promise<OperatorChangeOutcome>;
  /** Stores what was decided about an open incident; false if the incident is not stored yet. */
  readonly saveDecisions: (record: IncidentDecisionRecord) => Promise<boolean>;
  /** The newest stored result of each region between the slots; regions without one are left out. */
  readonly readStoredOutcomes: (
    question: StoredOutcomesQuestion,
  ) => Promise<readonly StoredOutcome[]>;
}
