/** Runs local activities as the SDK's core does: inside the workflow task, and retried without the server. */
import {
  type Activities,
  type ActivityOrder,
  type Attempt,
  beginAttempt,
  retryDelayMs,
  timeoutFailure,
} from './attempts';
import type { Failure, Payload, RetryPolicy } from './protocol';
import type { Cancel, VirtualTime } from './virtual-time';

export interface LocalEnd {
  readonly kind: 'completed' | 'failed' | 'timedOut' | 'cancelled';
  readonly attempt: number;
  readonly result: Payload | null;
  readonly failure: Failure | null;
  /** Milliseconds for which the workflow must wait before it schedules the activity again. */
  readonly backoffMs: number | null;
}

export interface LocalPlan extends ActivityOrder {
  readonly firstAttempt: number;
  readonly retry: RetryPolicy | null;
  /** Upper bound of waits between retries in milliseconds. If a wait is longer, the workflow waits instead. */
  readonly retryThresholdMs: number;
  /** Called exactly once, at the end of the activity. */
  readonly onEnd: (end: LocalEnd) => void;
}

export interface LocalActivity {
  readonly plan: LocalPlan;
  /** Cancels the attempt. Its end is still reported. */
  readonly cancel: () => void;
  /** Drops the activity without reporting its end. */
  readonly forget: () => void;
}

interface Place {
  readonly time: VirtualTime;
}

export function beginLocalActivity(
  { time }: Place,
  activities: Activities,
  plan: LocalPlan,
): LocalActivity {
  const timers: Cancel[] = [];
  let running: Attempt | null = null;
  let isOver = false;
  const leave = (): void => {
    for (const cancel of timers.splice(0)) cancel();
    running = null;
  };
  const end = (told: Pick<LocalEnd, 'kind' | 'attempt'> & Partial<LocalEnd>): void => {
    isOver = true;
    cancelExpiry();
    leave();
    plan.onEnd({ result: null, failure: null, backoffMs: null, ...told });
  };
  const fail = (kind: 'failed' | 'timedOut', attempt: number, failure: Failure): void => {
    leave();
    const leftMs = leftOf(plan, time.nowMs());
    const delayMs = retryDelayMs(plan.retry, failure, { attempt, leftMs });
    if (delayMs === null) end({ kind, attempt, failure });
    else if (delayMs > plan.retryThresholdMs) end({ kind, attempt, failure, backoffMs: delayMs });
    else timers.push(time.after(delayMs, () => begin(attempt + 1)));
  };
  const begin = (attempt: number): void => {
    timers.splice(0);
    const times = { attempt, scheduledMs: time.nowMs(), heartbeatDetails: null };
    const started = beginAttempt(activities, plan, { ...times, onHeartbeat: () => undefined });
    running = started;
    if (plan.startToCloseMs > 0)
      timers.push(
        time.after(plan.startToCloseMs, () => {
          started.cancel('TIMED_OUT');
          fail('timedOut', attempt, timeoutFailure('TIMEOUT_TYPE_START_TO_CLOSE'));
        }),
      );
    void started.ended.then(({ completed, cancelled, failed }) => {
      if (isOver || running !== started) return;
      if (completed) end({ kind: 'completed', attempt, result: completed.result ?? null });
      else if (cancelled) end({ kind: 'cancelled', attempt, failure: cancelled.failure ?? {} });
      else fail('failed', attempt, failed?.failure ?? {});
    });
  };
  const cancelExpiry =
    plan.scheduleToCloseMs > 0
      ? time.after(leftOf(plan, time.nowMs()), () => {
          running?.cancel('TIMED_OUT');
          const failure = timeoutFailure('TIMEOUT_TYPE_SCHEDULE_TO_CLOSE');
          end({ kind: 'timedOut', attempt: plan.firstAttempt, failure });
        })
      : () => undefined;
  begin(plan.firstAttempt);
  return {
    plan,
    cancel: () => running?.cancel('CANCELLED'),
    forget: () => {
      isOver = true;
      cancelExpiry();
      leave();
    },
  };
}

function leftOf({ scheduleToCloseMs, scheduledMs }: LocalPlan, nowMs: number): number {
  if (scheduleToCloseMs <= 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, scheduledMs + scheduleToCloseMs - nowMs);
}
