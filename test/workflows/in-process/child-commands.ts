/** Handles commands about other workflows: children, and workflows that are signalled or cancelled by id. */
import type { coresdk, temporal } from '@temporalio/proto';
import type { Decisions } from './commands';
import {
  type Failure,
  type Job,
  NAMESPACE,
  payloadsOf,
  type UserMetadata,
  WorkflowExecutionStatus,
} from './protocol';
import type { Run } from './run';

type Command = coresdk.workflow_commands.IWorkflowCommand;
type Started = coresdk.workflow_commands.IStartChildWorkflowExecution;

/** Data that a parent workflow has about its child. */
export interface Child {
  readonly seq: number;
  readonly command: Started;
  readonly initiatedEventId: number;
  runId: string;
  startedEventId: number;
}

const START_FAILED_BECAUSE_IT_EXISTS = 1;
const EXTERNAL_NOT_FOUND = 1;

export function createChildCommands(run: Run, pending: Decisions) {
  const children = new Map<number, Child>();
  const { history, server } = run;

  const start = (command: Started, metadata: UserMetadata | null, eventId: number): void => {
    const seq = command.seq ?? 0;
    const initiatedEventId = history.add(
      'startChildWorkflowExecutionInitiated',
      initiatedAttributes(run, command, eventId),
      metadata,
    );
    const child: Child = { seq, command, initiatedEventId, runId: '', startedEventId: 0 };
    children.set(seq, child);
    server.time.soon(() => {
      const runId = server.startChild(run, child, metadata);
      run.happen({
        record: () => (runId === null ? noteRefused(child) : noteStarted(child, runId)),
      });
    });
  };

  const namesOf = ({ initiatedEventId, runId, command }: Child) => ({
    namespace: NAMESPACE,
    initiatedEventId,
    workflowExecution: { workflowId: command.workflowId ?? '', runId },
    workflowType: { name: command.workflowType ?? '' },
  });

  const noteStarted = (child: Child, runId: string): Job => {
    child.runId = runId;
    child.startedEventId = history.add('childWorkflowExecutionStarted', namesOf(child));
    return { resolveChildWorkflowExecutionStart: { seq: child.seq, succeeded: { runId } } };
  };

  const noteRefused = (child: Child): Job => {
    const { seq, initiatedEventId, command } = child;
    const workflowId = command.workflowId ?? '';
    const workflowType = command.workflowType ?? '';
    children.delete(seq);
    history.add('startChildWorkflowExecutionFailed', {
      namespace: NAMESPACE,
      workflowId,
      workflowType: { name: workflowType },
      cause: START_FAILED_BECAUSE_IT_EXISTS,
      initiatedEventId,
    });
    const cause = START_FAILED_BECAUSE_IT_EXISTS;
    return {
      resolveChildWorkflowExecutionStart: { seq, failed: { workflowId, workflowType, cause } },
    };
  };

  const noteEnded = (child: Child, ended: Run): Job => {
    const { seq, startedEventId } = child;
    children.delete(seq);
    const names = { ...namesOf(child), startedEventId };
    const { result, failure } = endOf(ended);
    const wrapped = (cause: Failure): Failure => ({
      message: 'Child Workflow execution failed',
      cause,
      childWorkflowExecutionFailureInfo: { ...names, initiatedEventId: null, startedEventId: null },
    });
    const resolve = (told: coresdk.child_workflow.IChildWorkflowResult): Job => ({
      resolveChildWorkflowExecution: { seq, result: told },
    });
    const { status } = ended;
    if (status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED) {
      history.add('childWorkflowExecutionCompleted', { ...names, result });
      return resolve({ completed: { result: result?.payloads?.[0] ?? null } });
    }
    if (status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED) {
      history.add('childWorkflowExecutionCanceled', names);
      return resolve({ cancelled: { failure: wrapped({ canceledFailureInfo: {} }) } });
    }
    if (status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED) {
      history.add('childWorkflowExecutionTerminated', names);
      return resolve({ failed: { failure: wrapped({ terminatedFailureInfo: {} }) } });
    }
    if (status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT) {
      history.add('childWorkflowExecutionTimedOut', names);
      const timedOut = { timeoutFailureInfo: { timeoutType: 1 } };
      return resolve({ failed: { failure: wrapped(timedOut) } });
    }
    history.add('childWorkflowExecutionFailed', { ...names, failure: failure ?? {} });
    return resolve({ failed: { failure: wrapped(failure ?? {}) } });
  };

  const takers = {
    startChildWorkflowExecution: ({ startChildWorkflowExecution, userMetadata }: Command): void => {
      const command = startChildWorkflowExecution ?? {};
      pending.add({ commit: (eventId) => start(command, userMetadata ?? null, eventId) });
    },
    cancelChildWorkflowExecution: ({ cancelChildWorkflowExecution }: Command): void => {
      const seq = cancelChildWorkflowExecution?.childWorkflowSeq ?? 0;
      pending.add({
        commit: (eventId) => {
          const workflowId = children.get(seq)?.command.workflowId ?? '';
          const { reason } = cancelChildWorkflowExecution ?? {};
          askToCancel(run, { workflowId, reason: reason ?? '', eventId }, null);
        },
      });
    },
    requestCancelExternalWorkflowExecution: (command: Command): void => {
      const { requestCancelExternalWorkflowExecution: asked } = command;
      const workflowId = asked?.workflowExecution?.workflowId ?? '';
      const why = asked?.reason ?? '';
      const reason = `Cancel requested by workflow with run id ${run.start.runId} with reason: ${why}`;
      pending.add({
        commit: (eventId) => askToCancel(run, { workflowId, reason, eventId }, asked?.seq ?? 0),
      });
    },
    signalExternalWorkflowExecution: ({ signalExternalWorkflowExecution: signal }: Command): void =>
      pending.add({ commit: (eventId) => signalOther(run, signal ?? {}, eventId) }),
  };
  return {
    takers,
    /** Returns the children of the run that are still open. */
    all: () => [...children.values()],
    noteEnded: (child: Child, ended: Run) => run.happen({ record: () => noteEnded(child, ended) }),
  };
}

function initiatedAttributes(run: Run, command: Started, workflowTaskCompletedEventId: number) {
  const { workflowId, workflowType: name, headers, searchAttributes, memo } = command;
  return {
    namespace: NAMESPACE,
    workflowId,
    workflowType: { name },
    taskQueue: { name: command.taskQueue || run.start.taskQueue, kind: 1 },
    input: payloadsOf(command.input),
    workflowTaskTimeout: { seconds: 10 },
    parentClosePolicy: command.parentClosePolicy,
    workflowIdReusePolicy: command.workflowIdReusePolicy || 1,
    header: { fields: headers },
    memo: { fields: memo },
    workflowTaskCompletedEventId,
    ...(searchAttributes && { searchAttributes }),
    ...(command.priority && { priority: command.priority }),
  };
}

interface End {
  readonly result: temporal.api.common.v1.IPayloads | null;
  readonly failure: Failure | null;
}

function endOf({ history }: Run): End {
  const last = history.read(-1)[0];
  return {
    result: last?.workflowExecutionCompletedEventAttributes?.result ?? null,
    failure: last?.workflowExecutionFailedEventAttributes?.failure ?? null,
  };
}

interface Asked {
  readonly workflowId: string;
  readonly reason: string;
  readonly eventId: number;
}

/** Requests the cancellation of another workflow. `seq` is null if the workflow gets no result. */
function askToCancel(run: Run, { workflowId, reason, eventId }: Asked, seq: number | null): void {
  const { history, server, start } = run;
  const workflowExecution = { workflowId };
  const named = { namespace: NAMESPACE, workflowExecution };
  const initiatedEventId = history.add('requestCancelExternalWorkflowExecutionInitiated', {
    ...named,
    reason,
    workflowTaskCompletedEventId: eventId,
  });
  server.time.soon(() => {
    const other = server.find(workflowId);
    const externalWorkflowExecution = { workflowId: start.workflowId, runId: start.runId };
    other?.requestCancel({ cause: reason, externalWorkflowExecution });
    run.happen({
      record: () => {
        const initiated = { ...named, initiatedEventId };
        const failed = {
          ...initiated,
          cause: EXTERNAL_NOT_FOUND,
          workflowTaskCompletedEventId: eventId,
        };
        if (other === undefined)
          history.add('requestCancelExternalWorkflowExecutionFailed', failed);
        else history.add('externalWorkflowExecutionCancelRequested', initiated);
        const failure = other === undefined ? notFound(workflowId) : null;
        return seq === null ? null : { resolveRequestCancelExternalWorkflow: { seq, failure } };
      },
    });
  });
}

function signalOther(
  run: Run,
  signal: coresdk.workflow_commands.ISignalExternalWorkflowExecution,
  workflowTaskCompletedEventId: number,
): void {
  const { history, server } = run;
  const { seq, signalName, args, headers, workflowExecution: target, childWorkflowId } = signal;
  const workflowId = target?.workflowId || childWorkflowId || '';
  const workflowExecution = { workflowId };
  const named = { namespace: NAMESPACE, workflowExecution };
  const initiatedEventId = history.add('signalExternalWorkflowExecutionInitiated', {
    ...named,
    workflowTaskCompletedEventId,
    signalName,
    input: payloadsOf(args),
    header: { fields: headers },
    childWorkflowOnly: Boolean(childWorkflowId),
  });
  server.time.soon(() => {
    const other = server.find(workflowId);
    other?.signal({ signalName: signalName ?? '', input: args ?? [], headers: headers ?? {} });
    run.happen({
      record: () => {
        const initiated = { ...named, initiatedEventId };
        const failed = { ...initiated, cause: EXTERNAL_NOT_FOUND, workflowTaskCompletedEventId };
        if (other === undefined) history.add('signalExternalWorkflowExecutionFailed', failed);
        else history.add('externalWorkflowExecutionSignaled', initiated);
        const failure = other === undefined ? notFound(workflowId) : null;
        return { resolveSignalExternalWorkflow: { seq: seq ?? 0, failure } };
      },
    });
  });
}

function notFound(workflowId: string): Failure {
  const type = 'ExternalWorkflowExecutionNotFound';
  return { message: `there is no workflow ${workflowId}`, applicationFailureInfo: { type } };
}
