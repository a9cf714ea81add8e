/** Why a workflow task failed. The workflow reports it to the log of the orchestrator. */
export interface TaskFailure {
  /** Name and message of the error; never a value of a check. */
  readonly cause: string;
  /** The position in the bundle at which the error was thrown. null: the error does not say. */
  readonly at: string | null;
}
