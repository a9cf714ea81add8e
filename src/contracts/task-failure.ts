/** Why a workflow task failed, as the workflow reports it to the log of the orchestrator. */
export interface TaskFailure {
  /** Name and message of the error; never a value of a check. */
  readonly cause: string;
  /** The position in the bundle at which it was thrown; null when the error does not say. */
  readonly at: string | null;
}
