/** One run of a scenario: the input of its workflow, its progress, and its result. */
import type { GeneratedValues } from './activities';
import type { CertificateFacts } from './certificates';
import type { AlertExchange } from './outcome';
import type { RunFailure, RunStatus, RunStepRecord, RunVariables } from './records';
import type { RunInEnvironment, RunOrigin, StepPlan } from './workflows';

/** The environment of the run. If absent, the run uses the scenario as it is saved. */
type InEnvironment = Pick<RunInEnvironment, 'environment' | 'definitionRevision'>;

export interface ScenarioRunInput extends RunOrigin, Partial<InEnvironment> {
  readonly v: 1;
  readonly accountId: string;
  readonly scenarioId: string;
  readonly revision: number;
  readonly runId: string;
  readonly region: string;
  readonly slotMs: number;
  readonly queuedAtMs: number;
  readonly variables: RunVariables;
  readonly steps: readonly StepPlan[];
  /** Time limit for the requests of the run, without waiting times. */
  readonly timeoutSeconds: number;
  readonly onFailure: 'stop' | 'continue';
  /**
   * True means that consecutive steps share an activity, and a local activity stores the end of the run. Absent in
   * older runs.
   */
  readonly inStretches?: true;
  /**
   * True means that a scheduled run is not stored at its start. Instead, the run is stored before a request that must
   * not be sent twice, after its first stretch of steps, or at its end. Absent in older runs, which are stored before
   * each stretch.
   */
  readonly storedLate?: true;
  /** The execution of the scenario's workflow that carries out the run. If absent, the run has its own workflow. */
  readonly executionId?: string;
  /** The state of a run that continues as new. null when the run starts. */
  readonly progress: RunProgress | null;
}

/** The progress of a run between two tries of a step. */
export interface RunProgress {
  readonly startedAtMs: number;
  readonly generated: GeneratedValues;
  readonly variables: RunVariables;
  /** The cookies of the run, encrypted. null means that no step has set a cookie yet. */
  readonly cookies: string | null;
  readonly steps: readonly RunStepRecord[];
  readonly stop: RunStop | null;
  /** Number of records saved so far. */
  readonly saves: number;
  /** The remaining part of the run's time limit. */
  readonly leftMs: number;
  /** Time spent waiting for a region that has no worker. */
  readonly awayMs: number;
  /** The step that is being repeated, and when its first try was due. */
  readonly stepIndex: number;
  readonly stepBeganAtMs: number;
}

/** Why no further step is sent. Steps marked `always` are sent anyway. */
export type RunStop = 'failure' | 'cancelled' | 'timed_out' | 'removed';

/** A certificate that a step of a run saw. */
export interface StepCertificate extends CertificateFacts {
  readonly stepIndex: number;
}

export interface ScenarioRunResult {
  readonly runId: string;
  readonly status: RunStatus;
  readonly durationMs: number;
  readonly failure: RunFailure | null;
  readonly certificates: readonly StepCertificate[];
  /** The request and response of the failed step. Absent if nothing was sent, or if unknown. */
  readonly exchange?: AlertExchange;
}
