/** Handles commands about ordinary activities, and the results that the workflow gets. */
import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';
import type { coresdk } from '@temporalio/proto';
import type { ActivityEnd, ActivityPlan, ActivityTask } from './activity-tasks';
import type { Decisions } from './commands';
import {
  ActivityCancellationType,
  type Failure,
  IDENTITY,
  type Job,
  type Payload,
  payloadsOf,
  type Resolution,
  type RetryPolicy,
  RetryState,
  type UserMetadata,
} from './protocol';
import type { Run } from './run';

type Command = coresdk.workflow_commands.IWorkflowCommand;
type Scheduled = coresdk.workflow_commands.IScheduleActivity;

/** The message of the server about an activity that no worker has started. */
const NOT_STARTED = defaultPayloadConverter.toPayload('ACTIVITY_ID_NOT_STARTED');

interface Known {
  readonly scheduled: Scheduled;
  readonly metadata: UserMetadata | null;
  readonly scheduledEventId: number;
  readonly task: ActivityTask;
  /** True if the workflow knows that the activity was cancelled. */
  isGivenUp: boolean;
  cancelRequestedEventId: number;
}

export function createActivityCommands(run: Run, pending: Decisions) {
  const known = new Map<number, Known>();
  const asked = new Map<number, Scheduled>();

  const schedule = (scheduled: Scheduled, metadata: UserMetadata | null, eventId: number): void => {
    const seq = scheduled.seq ?? 0;
    const scheduledEventId = run.history.add(
      'activityTaskScheduled',
      scheduledAttributes(scheduled, eventId),
      metadata,
    );
    const end = (told: ActivityEnd): void =>
      run.happen({ key: `activity ${seq}`, record: () => recordEnd(seq, told) });
    const task = run.server.queues.schedule(planOf(run, scheduled, end));
    known.set(seq, {
      scheduled,
      metadata,
      scheduledEventId,
      task,
      isGivenUp: false,
      cancelRequestedEventId: 0,
    });
  };

  const recordEnd = (seq: number, end: ActivityEnd): Job | null => {
    const activity = known.get(seq);
    if (activity === undefined) return null;
    known.delete(seq);
    const result = writeEnd(run, activity, end);
    return activity.isGivenUp ? null : { resolveActivity: { seq, result, isLocal: false } };
  };

  const requestCancel = (seq: number, workflowTaskCompletedEventId: number): void => {
    const activity = known.get(seq);
    if (activity === undefined) return;
    const { scheduledEventId, metadata, task } = activity;
    activity.cancelRequestedEventId = run.history.add(
      'activityTaskCancelRequested',
      { scheduledEventId, workflowTaskCompletedEventId },
      metadata,
    );
    task.requestCancel();
  };

  const takers = {
    scheduleActivity: ({ scheduleActivity, userMetadata = null }: Command): void => {
      const scheduled = scheduleActivity ?? {};
      const seq = scheduled.seq ?? 0;
      asked.set(seq, scheduled);
      pending.add({
        key: `activity ${seq}`,
        commit: (eventId) => schedule(scheduled, userMetadata, eventId),
      });
    },
    requestCancelActivity: ({ requestCancelActivity }: Command): readonly Job[] => {
      const seq = requestCancelActivity?.seq ?? 0;
      const scheduled = asked.get(seq) ?? {};
      const cancelled: Job = {
        resolveActivity: { seq, isLocal: false, result: cancelledResult(scheduled, []) },
      };
      if (pending.withdraw(`activity ${seq}`)) return [cancelled];
      const { WAIT_CANCELLATION_COMPLETED, ABANDON } = ActivityCancellationType;
      if (scheduled.cancellationType !== ABANDON)
        pending.add({ commit: (eventId) => requestCancel(seq, eventId) });
      if (scheduled.cancellationType === WAIT_CANCELLATION_COMPLETED) return [];
      const activity = known.get(seq);
      if (activity !== undefined) activity.isGivenUp = true;
      return [cancelled];
    },
  };
  return {
    takers,
    pending: () => [...known.values()].map(({ task }) => task),
    isWorkedOn: () => [...known.values()].some(({ task }) => task.isUnderWay()),
    forgetAll: () => {
      for (const { task } of known.values()) task.forget();
    },
  };
}

function planOf(run: Run, scheduled: Scheduled, onEnd: (end: ActivityEnd) => void): ActivityPlan {
  const { workflowId, runId, type } = run.start;
  return {
    activityId: scheduled.activityId ?? '',
    activityType: scheduled.activityType ?? '',
    taskQueue: scheduled.taskQueue || run.start.taskQueue,
    input: scheduled.arguments ?? [],
    isLocal: false,
    workflow: { workflowId, runId, type },
    scheduledMs: run.server.time.nowMs(),
    scheduleToCloseMs: optionalTsToMs(scheduled.scheduleToCloseTimeout) ?? 0,
    scheduleToStartMs: optionalTsToMs(scheduled.scheduleToStartTimeout) ?? 0,
    startToCloseMs: optionalTsToMs(scheduled.startToCloseTimeout) ?? 0,
    heartbeatMs: optionalTsToMs(scheduled.heartbeatTimeout) ?? 0,
    retry: scheduled.retryPolicy ?? null,
    onEnd,
  };
}

function scheduledAttributes(scheduled: Scheduled, workflowTaskCompletedEventId: number): object {
  const {
    activityId,
    activityType: name,
    taskQueue,
    headers,
    scheduleToCloseTimeout,
    scheduleToStartTimeout,
    startToCloseTimeout,
    heartbeatTimeout,
    retryPolicy,
    priority,
  } = scheduled;
  const none = msToTs(0);
  return {
    activityId,
    activityType: { name },
    taskQueue: { name: taskQueue, kind: 1 },
    header: { fields: headers },
    input: payloadsOf(scheduled.arguments),
    scheduleToCloseTimeout: scheduleToCloseTimeout ?? none,
    scheduleToStartTimeout: scheduleToStartTimeout ?? none,
    startToCloseTimeout: startToCloseTimeout ?? none,
    heartbeatTimeout: heartbeatTimeout ?? none,
    workflowTaskCompletedEventId,
    retryPolicy: withDefaults(retryPolicy),
    ...(priority && { priority }),
  };
}

/** Returns the policy with the defaults that the server adds. */
function withDefaults(policy: RetryPolicy | null | undefined): RetryPolicy {
  const firstMs = optionalTsToMs(policy?.initialInterval) || 1_000;
  return {
    ...policy,
    initialInterval: msToTs(firstMs),
    backoffCoefficient: policy?.backoffCoefficient || 2,
    maximumInterval: msToTs(optionalTsToMs(policy?.maximumInterval) || firstMs * 100),
  };
}

/** Writes the end of the activity into the history. Returns the result for the workflow. */
function writeEnd({ history }: Run, activity: Known, end: ActivityEnd): Resolution {
  const { scheduled, scheduledEventId, cancelRequestedEventId } = activity;
  const isStarted = end.kind !== 'cancelled' || end.isStarted;
  const isWaiting = end.kind === 'timedOut' && end.failure.timeoutFailureInfo?.timeoutType === 2;
  const startedEventId =
    isStarted && !isWaiting
      ? history.add('activityTaskStarted', {
          scheduledEventId,
          identity: IDENTITY,
          attempt: end.attempt,
        })
      : 0;
  const ids = { scheduledEventId, startedEventId, identity: IDENTITY };
  if (end.kind === 'completed') {
    const result = end.result ?? {};
    history.add('activityTaskCompleted', { ...ids, result: payloadsOf([result]) });
    return { completed: { result } };
  }
  if (end.kind === 'cancelled') {
    const details = isStarted ? end.details : [NOT_STARTED];
    history.add('activityTaskCanceled', {
      ...ids,
      latestCancelRequestedEventId: cancelRequestedEventId,
      ...(details.length > 0 && { details: payloadsOf(details) }),
    });
    return cancelledResult(scheduled, end.isStarted ? details : []);
  }
  const { failure, retryState } = end;
  const isTimeout = end.kind === 'timedOut';
  history.add(isTimeout ? 'activityTaskTimedOut' : 'activityTaskFailed', {
    ...ids,
    failure,
    retryState,
  });
  const message = isTimeout ? 'Activity task timed out' : 'Activity task failed';
  return {
    failed: {
      failure: { message, cause: failure, activityFailureInfo: infoOf(scheduled, retryState) },
    },
  };
}

function cancelledResult(scheduled: Scheduled, details: readonly Payload[]): Resolution {
  const failure: Failure = {
    message: 'Activity cancelled',
    cause: { canceledFailureInfo: details.length === 0 ? {} : { details: payloadsOf(details) } },
    activityFailureInfo: infoOf(scheduled, RetryState.RETRY_STATE_CANCEL_REQUESTED),
  };
  return { cancelled: { failure } };
}

function infoOf({ activityId, activityType }: Scheduled, retryState: RetryState) {
  const name = activityType ?? '';
  return { activityId: activityId ?? '', activityType: { name }, identity: IDENTITY, retryState };
}
