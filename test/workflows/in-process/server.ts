/** A Temporal server in the test's own process. It stores all runs by workflow id, and passes events between them. */
import { randomUUID } from 'node:crypto';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';
import type { coresdk } from '@temporalio/proto';
import { createTaskQueues, type TaskQueues } from './activity-tasks';
import type { Activities } from './attempts';
import type { Child } from './child-commands';
import {
  ALREADY_EXISTS,
  type Failure,
  NOT_FOUND,
  ParentClosePolicy,
  payloadsOf,
  RefusedCall,
  TASK_TIMEOUT_MS,
  type UserMetadata,
  WorkflowExecutionStatus,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from './protocol';
import { Run, type RunStart } from './run';
import type { VirtualTime } from './virtual-time';
import { type CreateSandbox, createSandboxes } from './workflow-vm';

type Status = Run['status'];
type ContinueAsNew = coresdk.workflow_commands.IContinueAsNewWorkflowExecution;

/** The input for a new workflow. Other data of its run is derived from this input. */
export type Start = Omit<
  RunStart,
  'runId' | 'firstRunId' | 'continuedFromRunId' | 'startMs' | 'parent' | 'parentInitiatedEventId'
>;

export interface StartPolicy {
  readonly reuse: WorkflowIdReusePolicy;
  readonly conflict: WorkflowIdConflictPolicy;
}

export interface Server {
  readonly time: VirtualTime;
  readonly queues: TaskQueues;
  /** Returns the local activities of the current orchestrator. */
  readonly localActivities: () => Activities;
  readonly createSandbox: CreateSandbox;
  /** Returns the open run of the workflow. */
  readonly find: (workflowId: string) => Run | undefined;
  /** Returns the newest run, or the run with this id. If there is no such run, throws the same error as the server. */
  readonly require: (workflowId: string, runId?: string) => Run;
  /** Returns all runs, oldest first. */
  readonly runs: () => readonly Run[];
  readonly start: (given: Start, policy: StartPolicy) => Started;
  readonly startChild: (parent: Run, child: Child, metadata: UserMetadata | null) => string | null;
  readonly continueAsNew: (run: Run, next: ContinueAsNew, taskCompletedEventId: number) => void;
  readonly terminate: (run: Run, reason: string) => void;
  readonly noteClosed: (run: Run) => void;
  readonly offerTask: (run: Run) => void;
  readonly noteTaskFailure: (run: Run, failure: Failure) => void;
  readonly taskFailures: readonly string[];
  /**
   * Simulates the loss of the orchestrator. Its worker loses its current tasks. Workflow tasks wait until there is a
   * worker again.
   */
  readonly loseOrchestrator: () => Promise<void>;
  readonly startOrchestrator: (activities: Activities) => void;
}

export interface Started {
  readonly run: Run;
  readonly isNew: boolean;
}

export interface ServerOptions {
  readonly code: string;
  readonly time: VirtualTime;
}

const RUNNING = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
const FAILED: readonly Status[] = [
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
];

export function createServer({ code, time }: ServerOptions): Server {
  const runs = new Map<string, Run[]>();
  const waitingTasks = new Set<Run>();
  const taskFailures: string[] = [];
  let localActivities: Activities = {};
  const activityNames = new Set<string>();
  let isServed = false;
  const chainOf = (workflowId: string): Run[] => {
    const chain = runs.get(workflowId) ?? [];
    runs.set(workflowId, chain);
    return chain;
  };
  const begin = (start: RunStart): Run => {
    const run = new Run(server, start);
    chainOf(start.workflowId).push(run);
    if (start.executionTimeoutMs > 0)
      time.after(start.executionTimeoutMs, () =>
        run.close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT, () =>
          run.history.add('workflowExecutionTimedOut', {}),
        ),
      );
    return run;
  };
  const startNew = (given: Start, parent: RunStart['parent'], initiatedId: number | null): Run => {
    const runId = randomUUID();
    return begin({
      ...given,
      runId,
      firstRunId: runId,
      continuedFromRunId: null,
      startMs: time.nowMs(),
      parent,
      parentInitiatedEventId: initiatedId,
    });
  };
  const takeTasks = (): void => {
    if (!isServed) return;
    for (const run of waitingTasks)
      time.soon(() => (isServed ? run.begin() : void waitingTasks.add(run)));
    waitingTasks.clear();
  };
  const server: Server = {
    time,
    localActivities: () => localActivities,
    queues: createTaskQueues(time),
    createSandbox: createSandboxes(code, activityNames),
    runs: () => [...runs.values()].flat(),
    find: (workflowId) => runs.get(workflowId)?.find(({ isOpen }) => isOpen),
    require: (workflowId, runId = '') => {
      const chain = runs.get(workflowId) ?? [];
      const run = runId === '' ? chain.at(-1) : chain.find(({ start }) => start.runId === runId);
      if (run === undefined) throw new RefusedCall(NOT_FOUND, `there is no workflow ${workflowId}`);
      return run;
    },
    start: (given, policy) => {
      const last = runs.get(given.workflowId)?.at(-1);
      if (last?.isOpen === true)
        return settleConflict(server, last, policy, () => startNew(given, null, null));
      requireReusable(last, policy.reuse);
      return { run: startNew(given, null, null), isNew: true };
    },
    startChild: (parent, child, metadata) => {
      const given = childStart(parent, child, metadata);
      const last = runs.get(given.workflowId)?.at(-1);
      const reuse =
        child.command.workflowIdReusePolicy ||
        WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE;
      if (last?.isOpen === true || !isReusable(last, reuse)) return null;
      const { workflowId, runId } = parent.start;
      return startNew(given, { workflowId, runId }, child.initiatedEventId).start.runId;
    },
    continueAsNew: (run, next, workflowTaskCompletedEventId) => {
      const runId = randomUUID();
      const { start } = run;
      const searchAttributes = next.searchAttributes?.indexedFields ?? run.searchAttributes;
      run.close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW, () =>
        run.history.add('workflowExecutionContinuedAsNew', {
          newExecutionRunId: runId,
          workflowType: { name: next.workflowType || start.type },
          taskQueue: { name: next.taskQueue || start.taskQueue, kind: 1 },
          input: payloadsOf(next.arguments),
          workflowTaskCompletedEventId,
          workflowTaskTimeout: msToTs(TASK_TIMEOUT_MS),
          header: { fields: next.headers },
          memo: { fields: start.memo },
          searchAttributes: { indexedFields: searchAttributes },
        }),
      );
      begin({
        ...start,
        runId,
        continuedFromRunId: start.runId,
        type: next.workflowType || start.type,
        startMs: time.nowMs(),
        input: next.arguments ?? [],
        headers: next.headers ?? {},
        searchAttributes,
        userMetadata: null,
      });
    },
    terminate: (run, reason) =>
      run.close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED, () =>
        run.history.add('workflowExecutionTerminated', { reason }),
      ),
    noteClosed: (run) => closeFamily(server, run),
    offerTask: (run) => {
      waitingTasks.add(run);
      takeTasks();
    },
    noteTaskFailure: ({ start }, failure) => {
      taskFailures.push(
        `${start.workflowId}: ${failure.message ?? ''}\n${failure.stackTrace ?? ''}`,
      );
    },
    taskFailures,
    loseOrchestrator: async () => {
      isServed = false;
      for (const run of server.runs()) if (run.isOpen) await run.loseWorker();
    },
    startOrchestrator: (activities) => {
      localActivities = activities;
      for (const name of Object.keys(activities)) activityNames.add(name);
      isServed = true;
      takeTasks();
    },
  };
  return server;
}

function settleConflict(
  server: Server,
  last: Run,
  { conflict, reuse }: StartPolicy,
  startNew: () => Run,
): Started {
  const {
    WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
    WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING,
  } = WorkflowIdConflictPolicy;
  if (conflict === WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING) return { run: last, isNew: false };
  const isReplaced =
    conflict === WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING ||
    reuse === WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING;
  if (!isReplaced) throw alreadyStarted(last);
  server.terminate(last, 'replaced');
  return { run: startNew(), isNew: true };
}

function alreadyStarted({ start }: Run): RefusedCall {
  return new RefusedCall(ALREADY_EXISTS, `${start.workflowId} is there already`);
}

function requireReusable(last: Run | undefined, reuse: WorkflowIdReusePolicy): void {
  if (last !== undefined && !isReusable(last, reuse)) throw alreadyStarted(last);
}

function isReusable(last: Run | undefined, reuse: WorkflowIdReusePolicy): boolean {
  if (last === undefined) return true;
  const {
    WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
    WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY,
  } = WorkflowIdReusePolicy;
  if (reuse === WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE) return false;
  return (
    reuse !== WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY || FAILED.includes(last.status)
  );
}

function childStart({ start }: Run, { command }: Child, userMetadata: UserMetadata | null): Start {
  return {
    workflowId: command.workflowId ?? '',
    type: command.workflowType ?? '',
    taskQueue: command.taskQueue || start.taskQueue,
    input: command.input ?? [],
    headers: command.headers ?? {},
    searchAttributes: command.searchAttributes?.indexedFields ?? {},
    memo: command.memo ?? {},
    priority: command.priority ?? start.priority,
    userMetadata,
    executionTimeoutMs: optionalTsToMs(command.workflowExecutionTimeout) ?? 0,
  };
}

/** Reports the end of a run to its parent. Closes or keeps the children of the run according to their policy. */
function closeFamily(server: Server, run: Run): void {
  for (const child of run.commands.children.all()) {
    const other = child.runId === '' ? undefined : server.find(child.command.workflowId ?? '');
    const { parentClosePolicy: policy } = child.command;
    if (other === undefined || policy === ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON) continue;
    if (policy === ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL) other.requestCancel();
    else server.terminate(other, 'by parent close policy');
  }
  const { parent } = run.start;
  const isContinued =
    run.status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW;
  if (parent === null || isContinued || run.status === RUNNING) return;
  const parentRun = server.find(parent.workflowId);
  if (parentRun?.start.runId !== parent.runId) return;
  const child = parentRun.commands.children
    .all()
    .find(({ command }) => command.workflowId === run.start.workflowId);
  if (child !== undefined) parentRun.commands.children.noteEnded(child, run);
}
