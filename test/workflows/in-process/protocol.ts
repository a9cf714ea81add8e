/** Names and converts the messages between a workflow, the SDK and the server. */
import { coresdk, temporal } from '@temporalio/proto';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
export type Payload = temporal.api.common.v1.IPayload;
export type Failure = temporal.api.failure.v1.IFailure;
export type RetryPolicy = temporal.api.common.v1.IRetryPolicy;
export type UserMetadata = temporal.api.sdk.v1.IUserMetadata;
export type IndexedFields = Record<string, Payload>;
export type Activation = coresdk.workflow_activation.IWorkflowActivation;
export type Job = coresdk.workflow_activation.IWorkflowActivationJob;
export type Command = coresdk.workflow_commands.WorkflowCommand;
export type ActivityResult = coresdk.activity_result.IActivityExecutionResult;
export type Resolution = coresdk.activity_result.IActivityResolution;

export const {
  ContinueAsNewInitiator,
  EventType,
  PendingActivityState,
  RetryState,
  TimeoutType,
  WorkflowExecutionStatus,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowTaskFailedCause,
} = temporal.api.enums.v1;
export type EventType = temporal.api.enums.v1.EventType;
export type RetryState = temporal.api.enums.v1.RetryState;
export type PendingActivityState = temporal.api.enums.v1.PendingActivityState;
export type WorkflowIdReusePolicy = temporal.api.enums.v1.WorkflowIdReusePolicy;
export type WorkflowIdConflictPolicy = temporal.api.enums.v1.WorkflowIdConflictPolicy;

export const { ActivityCancellationType } = coresdk.workflow_commands;
export const { ParentClosePolicy } = coresdk.child_workflow;

export const IDENTITY = 'in-process';
export const NAMESPACE = 'default';
/** Time limit of a workflow task in milliseconds, as on the server. If a task takes longer, another worker gets it. */
export const TASK_TIMEOUT_MS = 10_000;

/** An error as the client gets it from the server. */
export class RefusedCall extends Error {
  constructor(
    readonly code: number,
    readonly details: string,
  ) {
    super(details);
  }
  readonly metadata = { get: () => [] };
}

export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
export const UNIMPLEMENTED = 12;

export function payloadsOf(payloads: readonly Payload[] | null | undefined) {
  return { payloads: [...(payloads ?? [])] };
}

/** Sorts the jobs in the order in which the SDK's core passes them to a workflow. */
export function inOrder(jobs: readonly Job[]): Job[] {
  return jobs.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf(job: Job): number {
  if (job.initializeWorkflow) return 0;
  if (job.notifyHasPatch) return 1;
  if (job.signalWorkflow || job.doUpdate) return 3;
  return job.resolveActivity?.isLocal === true ? 5 : 4;
}
