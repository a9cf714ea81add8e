/**
 * One run of a workflow: its history, its workflow tasks, and the events that it waits for. Does exactly what the
 * server and the SDK's core do to a workflow.
 */
import { coresdk, type temporal } from '@temporalio/proto';
import { type CommandTaker, createCommandTaker } from './commands';
import { createHistory } from './history';
import {
  type Activation,
  ContinueAsNewInitiator,
  type Failure,
  IDENTITY,
  type IndexedFields,
  inOrder,
  type Job,
  type Payload,
  TASK_TIMEOUT_MS,
  WorkflowExecutionStatus,
  WorkflowTaskFailedCause,
} from './protocol';
import type { Server } from './server';
import type { Update } from './updates';
import type { Cancel } from './virtual-time';
import { activationAt, type CachedWorkflow, cacheWorkflow, type RunIdentity } from './workflow-vm';

/** If local activities take this many milliseconds, the core requests a new workflow task. */
const HEARTBEAT_MS = TASK_TIMEOUT_MS * 0.8;
/** If a history has this many events or bytes, the server suggests continue-as-new. */
const SUGGESTED_EVENTS = 4_096;
const SUGGESTED_BYTES = 4 * 1_024 * 1_024;
const RETRY_MS = 1_000;
/** Flags that enable everything that the core checks in a replay. */
const CORE_FLAGS = [1, 2, 3];
const SDK = { sdkName: 'temporal-typescript', sdkVersion: '1.24.0' };

/** An event for a workflow. It is written into the history and reported to the workflow. */
export interface Happening {
  /**
   * Identifies the operation that this event ends. With this key, the workflow can cancel the operation before it gets
   * the outcome.
   */
  readonly key?: string;
  /** Adds the event to the history. Returns the job for the workflow, or null if the workflow is not notified. */
  readonly record: () => Job | null;
}

export interface Signal {
  readonly signalName: string;
  readonly input: readonly Payload[];
  readonly headers: Record<string, Payload>;
}

/** The workflow that requested the cancellation, and the reason. */
type CancelCause = Pick<
  temporal.api.history.v1.IWorkflowExecutionCancelRequestedEventAttributes,
  'cause' | 'externalWorkflowExecution'
>;

export interface RunStart extends RunIdentity {
  readonly input: readonly Payload[];
  readonly headers: Record<string, Payload>;
  readonly searchAttributes: IndexedFields;
  readonly memo: Record<string, Payload>;
  readonly priority: temporal.api.common.v1.IPriority | null;
  readonly userMetadata: temporal.api.sdk.v1.IUserMetadata | null;
  readonly parentInitiatedEventId: number | null;
  readonly executionTimeoutMs: number;
}

/** A workflow task that a worker is running. */
interface OpenTask {
  readonly sinceMs: number;
  readonly scheduledEventId: number;
  readonly startedEventId: number;
  readonly jobs: readonly Job[];
  readonly updates: readonly Update[];
  /** The lengths of the history and of the cached workflow before the task. */
  readonly historyBefore: number;
  readonly answeredBefore: number;
  readonly timer: Cancel;
}

export class Run {
  readonly history;
  status = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  closedMs: number | null = null;
  searchAttributes: IndexedFields;
  readonly commands: CommandTaker;
  private readonly workflow: CachedWorkflow;
  private readonly flags = new Set<number>();
  /** Jobs that are sent with the next workflow task. */
  private jobs: Job[] = [];
  private updates: Update[] = [];
  readonly updatesById = new Map<string, Update>();
  /** Events that occurred during an open task. They are added after the task. */
  private buffered: Happening[] = [];
  private task: OpenTask | null = null;
  private isTaskAwaited = false;
  private isCancelRequested = false;
  private scheduledEventId = 0;
  private failures = 0;
  private historyBefore = 0;
  /** Jobs for the open task: ends of local activities, and results that the core returns by itself. */
  private readonly answers: Job[] = [];
  private readonly readers = new Set<() => void>();

  constructor(
    readonly server: Server,
    readonly start: RunStart,
  ) {
    const { time } = server;
    this.history = createHistory(time.nowMs);
    this.searchAttributes = { ...start.searchAttributes };
    this.workflow = cacheWorkflow(server.createSandbox, start);
    this.commands = createCommandTaker(this);
    this.history.add('workflowExecutionStarted', startedAttributes(start), start.userMetadata);
    this.jobs.push({ initializeWorkflow: initOf(start) });
    this.awaitTask();
  }

  get isOpen(): boolean {
    return this.closedMs === null;
  }

  /** Adds an event now, or after the open task. The workflow gets it with a workflow task. */
  happen(happening: Happening): void {
    if (!this.isOpen) return;
    if (this.task !== null) {
      this.buffered.push(happening);
      return;
    }
    const job = happening.record();
    if (job === null) return;
    this.jobs.push(job);
    this.awaitTask();
  }

  /** Cancels an event, if the workflow has not been notified of it yet. */
  callOff(key: string): void {
    this.buffered = this.buffered.filter((happening) => happening.key !== key);
  }

  signal({ signalName, input, headers }: Signal): void {
    this.happen({
      record: () => {
        this.history.add('workflowExecutionSignaled', {
          signalName,
          input: { payloads: [...input] },
          identity: IDENTITY,
          header: { fields: headers },
        });
        return { signalWorkflow: { signalName, input: [...input], identity: IDENTITY, headers } };
      },
    });
  }

  requestCancel(by: CancelCause = {}): void {
    if (this.isCancelRequested) return;
    this.isCancelRequested = true;
    this.happen({
      record: () => {
        this.history.add('workflowExecutionCancelRequested', { identity: IDENTITY, ...by });
        return { cancelWorkflow: {} };
      },
    });
  }

  /** Passes an update to the workflow. If the workflow refuses the update, the history contains no trace of it. */
  update(update: Update): void {
    this.updates.push(update);
    this.updatesById.set(update.id, update);
    if (this.task === null) this.awaitTask();
  }

  /** Reports the end of a local activity in the open workflow task. */
  answer(job: Job): void {
    this.answers.push(job);
    this.server.time.soon(() => this.proceed());
  }

  async query(
    query: coresdk.workflow_activation.IQueryWorkflow,
  ): Promise<coresdk.workflow_commands.IQueryResult> {
    // Waits for all tasks, so that the query sees the state after everything that has happened.
    while (this.task !== null || this.isTaskAwaited) await this.idle();
    const completion = await this.workflow.activate(this.activation([{ queryWorkflow: query }]));
    if (completion.kind === 'failed') throw new Error(completion.failure.message ?? '');
    for (const { respondToQuery } of completion.commands) if (respondToQuery) return respondToQuery;
    throw new Error('the workflow did not answer the query');
  }

  /** Simulates the loss of the worker, with everything that it has not reported to the server. */
  async loseWorker(): Promise<void> {
    const { task } = this;
    if (task === null) return this.workflow.evict(this.workflow.length());
    task.timer();
    const restMs = task.sinceMs + TASK_TIMEOUT_MS - this.server.time.nowMs();
    await this.rollBack(
      task,
      () => {
        this.history.add('workflowTaskTimedOut', {
          scheduledEventId: task.scheduledEventId,
          startedEventId: task.startedEventId,
          timeoutType: 1,
        });
      },
      restMs,
    );
  }

  /** Closes the run with this status. `lastEvent` adds the last event to the history. */
  close(status: typeof this.status, lastEvent: () => number): void {
    if (!this.isOpen) return;
    lastEvent();
    this.status = status;
    this.closedMs = this.server.time.nowMs();
    this.task?.timer();
    this.task = null;
    this.commands.forgetAll();
    for (const update of this.updatesById.values()) update.abandon();
    this.isTaskAwaited = false;
    this.wakeReaders();
    this.server.time.soon(() => this.workflow.dispose());
    this.server.noteClosed(this);
  }

  /** Resolves when the next workflow task is completed. */
  private idle(): Promise<void> {
    return new Promise((resolve) => void this.readers.add(resolve));
  }

  private wakeReaders(): void {
    for (const wake of this.readers) wake();
    this.readers.clear();
  }

  /** Schedules a workflow task. It begins when a worker is available. */
  awaitTask(): void {
    if (this.isTaskAwaited || this.task !== null || !this.isOpen) return;
    this.isTaskAwaited = true;
    this.historyBefore = this.history.length();
    this.scheduledEventId = this.history.add('workflowTaskScheduled', {
      taskQueue: { name: this.start.taskQueue, kind: 1 },
      startToCloseTimeout: { seconds: TASK_TIMEOUT_MS / 1_000 },
      attempt: 1,
    });
    this.server.offerTask(this);
  }

  /** Starts the scheduled task. Called when a worker is available. */
  async begin(): Promise<void> {
    if (!this.isTaskAwaited || !this.isOpen) return;
    this.isTaskAwaited = false;
    this.open(inOrder(this.jobs.splice(0)), this.updates.splice(0), this.historyBefore);
    const { jobs = [], updates = [] } = this.task ?? {};
    this.commands.resume();
    await this.tell(inOrder([...jobs, ...updates.map((update) => update.job)]));
  }

  private open(jobs: readonly Job[], updates: readonly Update[], historyBefore: number): void {
    const { time } = this.server;
    const { scheduledEventId } = this;
    const startedEventId = this.history.add('workflowTaskStarted', {
      scheduledEventId,
      identity: IDENTITY,
      suggestContinueAsNew: this.isSuggested(),
    });
    this.task = {
      sinceMs: time.nowMs(),
      scheduledEventId,
      startedEventId,
      jobs,
      updates,
      historyBefore,
      answeredBefore: this.workflow.length(),
      timer: time.after(HEARTBEAT_MS, () => time.soon(() => this.heartbeat())),
    };
  }

  /**
   * Completes the task and begins another one, because local activities take long. The server gets the results so far,
   * and the workflow gets the events in the meantime.
   */
  private async heartbeat(): Promise<void> {
    if (this.task === null) return;
    this.complete(this.task, true);
    if (this.isOpen && this.isTaskAwaited) await this.begin();
  }

  private async proceed(): Promise<void> {
    if (this.task === null || this.answers.length === 0) return;
    await this.tell(this.answers.splice(0));
  }

  private activation(jobs: Job[]): Activation {
    const historyLength = this.task?.startedEventId ?? this.history.length();
    const { nowMs } = this.server.time;
    return {
      ...activationAt(this.start.runId, {
        nowMs: nowMs(),
        historyLength,
        suggested: this.isSuggested(),
      }),
      jobs,
    };
  }

  private isSuggested(): boolean {
    const { length, size } = this.history;
    return length() >= SUGGESTED_EVENTS || size() >= SUGGESTED_BYTES;
  }

  private async tell(jobs: Job[]): Promise<void> {
    if (jobs.length > 0) {
      const completion = await this.workflow.activate(this.activation(jobs));
      if (this.task === null) return;
      if (completion.kind === 'failed') return this.fail(this.task, completion.failure);
      for (const flag of completion.flags) this.flags.add(flag);
      const known = completion.commands.flatMap((command) => this.commands.take(command));
      if (known.length > 0) return this.tell(known);
    }
    const { task } = this;
    if (task === null || (this.commands.isWaiting() && !this.commands.isEnding())) return;
    if (this.answers.length > 0) return;
    if (this.commands.isEnding() && this.buffered.length > 0) await this.refuse(task);
    else this.complete(task, false);
  }

  /** Completes the task. The server applies what the workflow has decided. */
  private complete(task: OpenTask, isHeartbeat: boolean): void {
    task.timer();
    this.failures = 0;
    if (!isHeartbeat && this.isRefusal(task)) {
      this.commands.commit(null);
      this.history.cutTo(task.historyBefore);
      void this.workflow.evict(task.answeredBefore);
    } else {
      const completedEventId = this.history.add('workflowTaskCompleted', {
        scheduledEventId: task.scheduledEventId,
        startedEventId: task.startedEventId,
        identity: IDENTITY,
        sdkMetadata: { ...SDK, coreUsedFlags: CORE_FLAGS, langUsedFlags: [...this.flags] },
      });
      this.commands.commit(completedEventId);
    }
    this.task = null;
    this.wakeReaders();
    if (!this.isOpen) return;
    for (const happening of this.buffered.splice(0)) this.happen(happening);
    if (this.updates.length > 0 || isHeartbeat) this.awaitTask();
  }

  /** Returns true if the task contained only updates that the workflow refused. */
  private isRefusal({ jobs, updates, historyBefore, startedEventId }: OpenTask): boolean {
    const isAlone = jobs.length === 0 && startedEventId === historyBefore + 2;
    return isAlone && updates.length > 0 && this.commands.isEmpty();
  }

  /** Refuses to complete the task. A workflow may not close before it has received all events. */
  private async refuse(task: OpenTask): Promise<void> {
    await this.rollBack(
      task,
      () => {
        this.noteFailed(task, 'WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND', {});
      },
      0,
    );
  }

  private async fail(task: OpenTask, failure: Failure): Promise<void> {
    this.server.noteTaskFailure(this, failure);
    this.failures += 1;
    const afterMs = this.failures === 1 ? 0 : RETRY_MS * 2 ** Math.min(this.failures, 6);
    const cause = 'WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE';
    await this.rollBack(task, () => this.noteFailed(task, cause, failure), afterMs);
  }

  private noteFailed(
    { scheduledEventId, startedEventId }: OpenTask,
    cause: keyof typeof WorkflowTaskFailedCause,
    failure: Failure,
  ): void {
    this.history.add('workflowTaskFailed', {
      scheduledEventId,
      startedEventId,
      cause: WorkflowTaskFailedCause[cause],
      failure,
      identity: IDENTITY,
    });
  }

  /** Undoes everything in the task. A worker then gets the task again. */
  private async rollBack(task: OpenTask, note: () => void, afterMs: number): Promise<void> {
    const { time } = this.server;
    task.timer();
    this.commands.forgetTask();
    this.answers.splice(0);
    await this.workflow.evict(task.answeredBefore);
    const again = (): void => {
      if (this.task !== task) return;
      note();
      this.task = null;
      this.jobs = [...task.jobs, ...this.jobs];
      this.updates = [...task.updates, ...this.updates];
      const buffered = this.buffered.splice(0);
      this.awaitTask();
      for (const happening of buffered) this.happenBetween(happening);
    };
    if (afterMs > 0) time.after(afterMs, again);
    else again();
  }

  private happenBetween(happening: Happening): void {
    const job = happening.record();
    if (job !== null) this.jobs.push(job);
  }
}

function startedAttributes(start: RunStart) {
  return {
    workflowType: { name: start.type },
    taskQueue: { name: start.taskQueue, kind: 1 },
    input: { payloads: [...start.input] },
    workflowTaskTimeout: { seconds: TASK_TIMEOUT_MS / 1_000 },
    originalExecutionRunId: start.runId,
    firstExecutionRunId: start.firstRunId,
    identity: IDENTITY,
    attempt: 1,
    header: { fields: start.headers },
    searchAttributes: { indexedFields: start.searchAttributes },
    memo: { fields: start.memo },
    workflowId: start.workflowId,
    ...(start.priority !== null && { priority: start.priority }),
    ...(start.continuedFromRunId !== null && {
      continuedExecutionRunId: start.continuedFromRunId,
      initiator: ContinueAsNewInitiator.CONTINUE_AS_NEW_INITIATOR_WORKFLOW,
    }),
    ...(start.parent !== null && {
      parentWorkflowExecution: start.parent,
      parentInitiatedEventId: start.parentInitiatedEventId ?? 0,
    }),
  };
}

function initOf(start: RunStart): coresdk.workflow_activation.IInitializeWorkflow {
  return coresdk.workflow_activation.InitializeWorkflow.fromObject({
    workflowType: start.type,
    workflowId: start.workflowId,
    arguments: [...start.input],
    headers: start.headers,
    identity: IDENTITY,
    firstExecutionRunId: start.firstRunId,
    attempt: 1,
    memo: { fields: start.memo },
    searchAttributes: { indexedFields: start.searchAttributes },
  });
}
