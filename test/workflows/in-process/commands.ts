/**
 * Handles the commands of a workflow. Each command is sent to the server at the end of the workflow task in which it
 * was made.
 */
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';
import type { coresdk } from '@temporalio/proto';
import { createActivityCommands } from './activity-commands';
import { createChildCommands } from './child-commands';
import { createLocalCommands } from './local-commands';
import { createPatchCommands } from './patch-commands';
import {
  type Command,
  type Job,
  payloadsOf,
  type UserMetadata,
  WorkflowExecutionStatus,
} from './protocol';
import type { Run } from './run';
import type { Cancel } from './virtual-time';

/** A command that is kept until the end of the workflow task. */
export interface Decision {
  /** A later command of the same task can undo this command by this key. */
  readonly key?: string;
  readonly kind?: 'refusal' | 'end';
  readonly commit: (taskCompletedEventId: number) => void;
}

export interface Decisions {
  readonly add: (decision: Decision) => void;
  /** Undoes a command of the same task, so that the server never sees it. Returns true if there was such a command. */
  readonly withdraw: (key: string) => boolean;
}

export interface CommandTaker {
  /** Handles a command. Returns the jobs that the core resolves by itself. */
  readonly take: (command: Command) => readonly Job[];
  /**
   * Sends the commands of the task. The id is null if the task contains only refused updates, because the server then
   * sees no completed task.
   */
  readonly commit: (taskCompletedEventId: number | null) => void;
  /** Drops the commands of a task that failed. */
  readonly forgetTask: () => void;
  /** Called when another task begins. */
  readonly resume: () => void;
  /** Called when the run is closed. Drops all commands. */
  readonly forgetAll: () => void;
  /** Returns true if local activities are still running. */
  readonly isWaiting: () => boolean;
  /** Returns true if a worker is running one of the workflow's activities. */
  readonly isWorkedOn: () => boolean;
  readonly isEnding: () => boolean;
  readonly isEmpty: () => boolean;
  /** Returns the patches that the workflow has applied. */
  readonly patches: () => readonly string[];
  readonly activities: ReturnType<typeof createActivityCommands>;
  readonly children: ReturnType<typeof createChildCommands>;
}

type Commands = coresdk.workflow_commands.IWorkflowCommand;
/** Returns the jobs that the core resolves by itself, if any. */
type Take = (command: Commands) => unknown;

export function createCommandTaker(run: Run): CommandTaker {
  let decisions: Decision[] = [];
  const pending: Decisions = {
    add: (decision) => void decisions.push(decision),
    withdraw: (key) => {
      const before = decisions.length;
      decisions = decisions.filter((decision) => decision.key !== key);
      return decisions.length < before;
    },
  };
  const timers = createTimerCommands(run, pending);
  const activities = createActivityCommands(run, pending);
  const locals = createLocalCommands(run, pending);
  const children = createChildCommands(run, pending);
  const patches = createPatchCommands(run, pending);
  const takers: Partial<Record<string, Take>> = {
    ...timers.takers,
    ...activities.takers,
    ...locals.takers,
    ...children.takers,
    ...patches.takers,
    ...endTakers(run, pending),
    updateResponse: (command) => takeUpdateResponse(run, pending, command.updateResponse),
    upsertWorkflowSearchAttributes: ({ upsertWorkflowSearchAttributes: upsert }) =>
      pending.add({
        commit: (workflowTaskCompletedEventId) => {
          const indexedFields = upsert?.searchAttributes?.indexedFields ?? {};
          Object.assign(run.searchAttributes, indexedFields);
          run.history.add('upsertWorkflowSearchAttributes', {
            workflowTaskCompletedEventId,
            searchAttributes: { indexedFields },
          });
        },
      }),
  };
  return {
    activities,
    children,
    patches: patches.all,
    take: (command) => {
      const take = takers[command.variant ?? ''];
      if (take === undefined) throw new Error(`the command ${command.variant} is not supported`);
      const known = take(command);
      return isJobs(known) ? known : [];
    },
    commit: (eventId) => {
      const made = decisions;
      decisions = [];
      for (const { kind, commit } of made)
        if (eventId !== null || kind === 'refusal') commit(eventId ?? 0);
      locals.commit();
    },
    forgetTask: () => {
      decisions = [];
      locals.forgetTask();
    },
    resume: locals.resume,
    forgetAll: () => {
      timers.forgetAll();
      activities.forgetAll();
      locals.forgetAll();
    },
    isWaiting: locals.isWaiting,
    isWorkedOn: () => locals.isWaiting() || activities.isWorkedOn(),
    isEnding: () => decisions.some(({ kind }) => kind === 'end'),
    isEmpty: () => decisions.every(({ kind }) => kind === 'refusal'),
  };
}

function isJobs(known: unknown): known is readonly Job[] {
  return Array.isArray(known);
}

interface Timer {
  readonly startedEventId: number;
  readonly metadata: UserMetadata | null;
  readonly cancel: Cancel;
}

function createTimerCommands(run: Run, pending: Decisions) {
  const timers = new Map<number, Timer>();
  const start = (
    { startTimer, userMetadata: metadata = null }: Commands,
    eventId: number,
  ): void => {
    const seq = startTimer?.seq ?? 0;
    const ms = optionalTsToMs(startTimer?.startToFireTimeout) ?? 0;
    const timerId = String(seq);
    const startedEventId = run.history.add(
      'timerStarted',
      {
        timerId,
        startToFireTimeout: msToTs(ms),
        workflowTaskCompletedEventId: eventId,
      },
      metadata,
    );
    const fire = (): Job => {
      run.history.add('timerFired', { timerId, startedEventId });
      timers.delete(seq);
      return { fireTimer: { seq } };
    };
    const key = `timer ${seq}`;
    timers.set(seq, {
      startedEventId,
      metadata,
      cancel: run.server.time.after(ms, () => run.happen({ key, record: fire })),
    });
  };
  const cancel = (seq: number, workflowTaskCompletedEventId: number): void => {
    const timer = timers.get(seq);
    if (timer === undefined) throw new Error(`the timer ${seq} does not run`);
    const { startedEventId, metadata } = timer;
    timer.cancel();
    timers.delete(seq);
    run.callOff(`timer ${seq}`);
    const timerId = String(seq);
    const attributes = { timerId, startedEventId, workflowTaskCompletedEventId };
    run.history.add('timerCanceled', attributes, metadata);
  };
  const takers: Record<string, Take> = {
    startTimer: (command) =>
      pending.add({
        key: `timer ${command.startTimer?.seq ?? 0}`,
        commit: (eventId) => start(command, eventId),
      }),
    cancelTimer: ({ cancelTimer }) => {
      const seq = cancelTimer?.seq ?? 0;
      if (!pending.withdraw(`timer ${seq}`))
        pending.add({ commit: (eventId) => cancel(seq, eventId) });
    },
  };
  return {
    takers,
    forgetAll: () => {
      for (const timer of timers.values()) timer.cancel();
    },
  };
}

function takeUpdateResponse(
  run: Run,
  pending: Decisions,
  response: coresdk.workflow_commands.IUpdateResponse | null | undefined,
): void {
  const id = response?.protocolInstanceId ?? '';
  const update = run.updatesById.get(id);
  if (update === undefined) throw new Error(`the update ${id} is not known`);
  const { meta } = update.request;
  if (response?.accepted) {
    pending.add({
      commit: (completedEventId) => {
        update.accept();
        run.history.add('workflowExecutionUpdateAccepted', {
          protocolInstanceId: id,
          acceptedRequestMessageId: `${id}/request`,
          // The id of the event that started the task in which the update arrived.
          acceptedRequestSequencingEventId: completedEventId - 2,
          acceptedRequest: update.request,
        });
      },
    });
  } else if (response?.rejected && !update.isAccepted()) {
    const { rejected } = response;
    pending.add({ kind: 'refusal', commit: () => void update.reject(rejected) });
  } else {
    pending.add({
      commit: () => {
        const outcome = response?.rejected
          ? update.reject(response.rejected)
          : update.complete(response?.completed ?? null);
        run.history.add('workflowExecutionUpdateCompleted', { meta, outcome });
      },
    });
  }
}

/** Returns the handlers of commands that end the run. */
function endTakers(run: Run, pending: Decisions): Record<string, Take> {
  const end = (commit: (eventId: number) => void): void => pending.add({ kind: 'end', commit });
  const { history } = run;
  return {
    completeWorkflowExecution: ({ completeWorkflowExecution }) =>
      end((workflowTaskCompletedEventId) =>
        run.close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED, () =>
          history.add('workflowExecutionCompleted', {
            workflowTaskCompletedEventId,
            result: payloadsOf([completeWorkflowExecution?.result ?? {}]),
          }),
        ),
      ),
    failWorkflowExecution: ({ failWorkflowExecution }) =>
      end((workflowTaskCompletedEventId) =>
        run.close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED, () =>
          history.add('workflowExecutionFailed', {
            workflowTaskCompletedEventId,
            failure: failWorkflowExecution?.failure ?? {},
          }),
        ),
      ),
    cancelWorkflowExecution: () =>
      end((workflowTaskCompletedEventId) =>
        run.close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED, () =>
          history.add('workflowExecutionCanceled', { workflowTaskCompletedEventId }),
        ),
      ),
    continueAsNewWorkflowExecution: ({ continueAsNewWorkflowExecution: next }) =>
      end((eventId) => run.server.continueAsNew(run, next ?? {}, eventId)),
  };
}
