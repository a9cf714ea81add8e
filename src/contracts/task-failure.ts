/** Describes why a workflow task failed. The workflow reports it to the log of the orchestrator. */
export interface TaskFailure {
  /** Name and message of the error. It never contains a value of a check. */
  readonly cause: string;
  /** The position of the error in the bundle. null if unknown. */
  readonly at: string | null;
}
