/** Handles commands about local activities. Their end is part of the workflow task in which it occurs. */

import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';
import type { coresdk } from '@temporalio/proto';
import type { Decisions } from './commands';
import {
  beginLocalActivity,
  type LocalActivity,
  type LocalEnd,
  type LocalPlan,
} from './local-activities';
import {
  ActivityCancellationType,
  type Failure,
  type Job,
  type Resolution,
  RetryState,
} from './protocol';
import type { Run } from './run';

type Command = coresdk.workflow_commands.IWorkflowCommand;
type Scheduled = coresdk.workflow_commands.IScheduleLocalActivity;

/** Default limit in milliseconds. If the wait between two tries is longer, it becomes a timer of the workflow. */
const RETRY_THRESHOLD_MS = 60_000;

interface Local {
  readonly seq: number;
  /** The instant at which the activity was first scheduled. It does not change with retries. */
  readonly askedMs: number;
  readonly scheduled: Scheduled;
  activity: LocalActivity | null;
  /** True if the workflow task that scheduled the activity has been completed. */
  isCommitted: boolean;
}

export function createLocalCommands(run: Run, pending: Decisions) {
  /** Local activities whose end the server does not know yet. */
  const locals = new Map<number, Local>();
  /** Activities that have ended, but whose end is not yet reported in a completed task. */
  const ended = new Set<number>();

  const begin = (local: Local): void => {
    const { time, localActivities } = run.server;
    const onEnd = (end: LocalEnd): void => resolve(local, end);
    local.activity = beginLocalActivity({ time }, localActivities(), planOf(run, local, onEnd));
  };

  const resolve = (local: Local, end: LocalEnd): void => {
    const { seq, scheduled } = local;
    ended.add(seq);
    const atMs = run.server.time.nowMs();
    pending.add({ commit: (eventId) => writeMarker(run, local, { ...end, atMs, eventId }) });
    run.answer({ resolveActivity: { seq, isLocal: true, result: resolutionOf(scheduled, end) } });
  };

  const takers = {
    scheduleLocalActivity: ({ scheduleLocalActivity }: Command): void => {
      const scheduled = scheduleLocalActivity ?? {};
      const seq = scheduled.seq ?? 0;
      const nowMs = run.server.time.nowMs();
      const askedMs = optionalTsToMs(scheduled.originalScheduleTime) ?? nowMs;
      const local: Local = { seq, askedMs, scheduled, activity: null, isCommitted: false };
      locals.set(seq, local);
      begin(local);
    },
    requestCancelLocalActivity: ({ requestCancelLocalActivity }: Command): readonly Job[] => {
      const seq = requestCancelLocalActivity?.seq ?? 0;
      const local = locals.get(seq);
      if (local === undefined || ended.has(seq)) return [];
      const { scheduled, activity } = local;
      const { ABANDON, WAIT_CANCELLATION_COMPLETED } = ActivityCancellationType;
      if (scheduled.cancellationType !== ABANDON) activity?.cancel();
      if (scheduled.cancellationType === WAIT_CANCELLATION_COMPLETED) return [];
      activity?.forget();
      ended.add(seq);
      const end: LocalEnd = {
        kind: 'cancelled',
        attempt: 1,
        result: null,
        failure: CANCELLED,
        backoffMs: null,
      };
      const atMs = run.server.time.nowMs();
      pending.add({ commit: (eventId) => writeMarker(run, local, { ...end, atMs, eventId }) });
      return [{ resolveActivity: { seq, isLocal: true, result: resolutionOf(scheduled, end) } }];
    },
  };
  return {
    takers,
    isWaiting: () => [...locals.keys()].some((seq) => !ended.has(seq)),
    commit: () => {
      for (const seq of ended) locals.delete(seq);
      ended.clear();
      for (const local of locals.values()) local.isCommitted = true;
    },
    /**
     * Drops the activities. If an earlier task scheduled an activity, it restarts with the next task. The workflow
     * schedules the other activities again.
     */
    forgetTask: () => {
      for (const local of locals.values()) {
        local.activity?.forget();
        local.activity = null;
        if (!local.isCommitted) locals.delete(local.seq);
      }
      ended.clear();
    },
    resume: () => {
      for (const local of locals.values()) if (local.activity === null) begin(local);
    },
    forgetAll: () => {
      for (const { activity } of locals.values()) activity?.forget();
      locals.clear();
    },
  };
}

const CANCELLED: Failure = { canceledFailureInfo: {} };

function planOf(
  run: Run,
  { scheduled, askedMs }: Local,
  onEnd: (end: LocalEnd) => void,
): LocalPlan {
  const { workflowId, runId, type, taskQueue } = run.start;
  return {
    activityId: scheduled.activityId ?? '',
    activityType: scheduled.activityType ?? '',
    taskQueue,
    input: scheduled.arguments ?? [],
    isLocal: true,
    workflow: { workflowId, runId, type },
    scheduledMs: askedMs,
    scheduleToCloseMs: optionalTsToMs(scheduled.scheduleToCloseTimeout) ?? 0,
    startToCloseMs: optionalTsToMs(scheduled.startToCloseTimeout) ?? 0,
    heartbeatMs: 0,
    firstAttempt: scheduled.attempt || 1,
    retry: scheduled.retryPolicy ?? null,
    retryThresholdMs: optionalTsToMs(scheduled.localRetryThreshold) ?? RETRY_THRESHOLD_MS,
    onEnd,
  };
}

/** Returns the result for the workflow. Timeouts and cancellations are wrapped, other failures are not. */
function resolutionOf(scheduled: Scheduled, end: LocalEnd): Resolution {
  const { kind, attempt, result, failure, backoffMs } = end;
  if (backoffMs !== null)
    return { backoff: { attempt: attempt + 1, backoffDuration: msToTs(backoffMs) } };
  if (kind === 'completed') return { completed: { result } };
  if (kind === 'failed') return { failed: { failure } };
  const { activityId, activityType } = scheduled;
  const wrapped: Failure = {
    message: kind === 'timedOut' ? 'Local Activity timed out' : 'Local Activity cancelled',
    cause: failure,
    activityFailureInfo: {
      activityId: activityId ?? '',
      activityType: { name: activityType ?? '' },
      retryState: RetryState.RETRY_STATE_CANCEL_REQUESTED,
    },
  };
  return kind === 'timedOut'
    ? { failed: { failure: wrapped } }
    : { cancelled: { failure: wrapped } };
}

interface Ended extends LocalEnd {
  readonly atMs: number;
  readonly eventId: number;
}

/** Writes the marker in the format that the core writes, and reads in a replay. */
function writeMarker({ history }: Run, { scheduled, askedMs }: Local, ended: Ended): void {
  const { attempt, result, failure, backoffMs, atMs, eventId } = ended;
  const data = {
    seq: scheduled.seq,
    attempt,
    activity_id: scheduled.activityId,
    activity_type: scheduled.activityType,
    complete_time: plainTime(atMs),
    backoff: backoffMs === null ? null : plainTime(backoffMs),
    original_schedule_time: plainTime(askedMs),
  };
  history.add('markerRecorded', {
    markerName: 'core_local_activity',
    workflowTaskCompletedEventId: eventId,
    details: {
      data: { payloads: [defaultPayloadConverter.toPayload(data)] },
      ...(result !== null && { result: { payloads: [result] } }),
    },
    ...(failure !== null && { failure }),
  });
}

function plainTime(ms: number): { readonly seconds: number; readonly nanos: number } {
  return { seconds: Math.floor(ms / 1_000), nanos: (ms % 1_000) * 1_000_000 };
}
