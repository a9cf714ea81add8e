/**
 * Handles activities as the server does. They wait for a worker of their queue, are retried according to their policy,
 * time out and are cancelled.
 */
import {
  type Activities,
  type ActivityOrder,
  type Attempt,
  beginAttempt,
  retryDelayMs,
  timeoutFailure,
} from './attempts';
import {
  type Failure,
  type Payload,
  PendingActivityState,
  type RetryPolicy,
  RetryState,
  type TimeoutType,
} from './protocol';
import type { Cancel, VirtualTime } from './virtual-time';

/** The end of an activity, with its result. */
export type ActivityEnd =
  | { readonly kind: 'completed'; readonly attempt: number; readonly result: Payload | null }
  | {
      readonly kind: 'failed' | 'timedOut';
      readonly attempt: number;
      readonly failure: Failure;
      readonly retryState: RetryState;
    }
  | {
      readonly kind: 'cancelled';
      readonly attempt: number;
      readonly isStarted: boolean;
      /** Details of the last heartbeat of the attempt. */
      readonly details: readonly Payload[];
    };

export interface ActivityPlan extends ActivityOrder {
  readonly scheduleToStartMs: number;
  readonly retry: RetryPolicy | null;
  /** Called exactly once, at the end of the activity. */
  readonly onEnd: (end: ActivityEnd) => void;
}

export interface ActivityTask {
  readonly plan: ActivityPlan;
  readonly state: () => PendingActivityState;
  readonly attempt: () => number;
  /** Returns true if a worker is running an attempt. */
  readonly isUnderWay: () => boolean;
  /** Cancels the activity on request of the workflow. */
  readonly requestCancel: () => void;
  /** Drops the activity without reporting its result, because the workflow is closed. */
  readonly forget: () => void;
}

export interface TaskQueues {
  readonly schedule: (plan: ActivityPlan) => ActivityTask;
  /**
   * Starts a worker that runs tasks of this queue. The returned function stops the worker after it has finished the
   * tasks that it has begun.
   */
  readonly startWorker: (queue: string, activities: Activities) => () => void;
}

interface Waiting {
  readonly start: (activities: Activities) => void;
}

interface Queue {
  readonly waiting: Set<Waiting>;
  readonly workers: Activities[];
}

export function createTaskQueues(time: VirtualTime): TaskQueues {
  const queues = new Map<string, Queue>();
  const queueOf = (name: string): Queue => {
    const queue = queues.get(name) ?? { waiting: new Set(), workers: [] };
    queues.set(name, queue);
    return queue;
  };
  const hand = (queue: Queue): void => {
    for (const task of queue.waiting) {
      const worker = queue.workers.at(-1);
      if (worker === undefined) return;
      queue.waiting.delete(task);
      task.start(worker);
    }
  };
  const place: Place = {
    time,
    wait: (name, task) => {
      const queue = queueOf(name);
      queue.waiting.add(task);
      time.soon(() => hand(queue));
      return () => queue.waiting.delete(task);
    },
  };
  return {
    schedule: (plan) => scheduleActivity(place, plan),
    startWorker: (name, activities) => {
      const queue = queueOf(name);
      queue.workers.push(activities);
      time.soon(() => hand(queue));
      return () => void queue.workers.splice(queue.workers.indexOf(activities), 1);
    },
  };
}

interface Place {
  readonly time: VirtualTime;
  /** Makes the task wait for a worker. The returned function cancels the wait. */
  readonly wait: (queue: string, task: Waiting) => () => void;
}

function scheduleActivity(place: Place, plan: ActivityPlan): ActivityTask {
  const activity = new ScheduledActivity(place, plan);
  activity.queue();
  return activity;
}

class ScheduledActivity implements ActivityTask {
  private number = 1;
  private running: Attempt | null = null;
  private isCancelRequested = false;
  private isOver = false;
  private heartbeat: Payload | null = null;
  private attemptScheduledMs = 0;
  private isLate: Cancel = () => undefined;
  private readonly timers: Cancel[] = [];
  private readonly cancelExpiry: Cancel;

  constructor(
    private readonly place: Place,
    readonly plan: ActivityPlan,
  ) {
    this.cancelExpiry = this.after(plan.scheduleToCloseMs, () =>
      this.timeOut('TIMEOUT_TYPE_SCHEDULE_TO_CLOSE'),
    );
  }

  state(): PendingActivityState {
    if (this.isCancelRequested) return PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED;
    return this.running === null
      ? PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
      : PendingActivityState.PENDING_ACTIVITY_STATE_STARTED;
  }

  isUnderWay(): boolean {
    return this.running !== null;
  }

  attempt(): number {
    return this.number;
  }

  queue(): void {
    this.attemptScheduledMs = this.place.time.nowMs();
    const leave = this.place.wait(this.plan.taskQueue, { start: (given) => this.start(given) });
    const cancel = this.after(this.plan.scheduleToStartMs, () =>
      this.timeOut('TIMEOUT_TYPE_SCHEDULE_TO_START'),
    );
    this.timers.push(leave, cancel);
  }

  requestCancel(): void {
    if (this.isOver) return;
    this.isCancelRequested = true;
    if (this.running === null)
      this.end({ kind: 'cancelled', attempt: this.number, isStarted: false, details: [] });
    // An attempt is running. The server pushes the cancellation to its worker.
    else this.running.cancel('CANCELLED');
  }

  forget(): void {
    this.isOver = true;
    this.stopTimers();
    this.cancelExpiry();
    this.leave();
  }

  private start(activities: Activities): void {
    this.stopTimers();
    const running = beginAttempt(activities, this.plan, {
      attempt: this.number,
      scheduledMs: this.attemptScheduledMs,
      heartbeatDetails: this.heartbeat,
      onHeartbeat: (details) => this.beat(running, details),
    });
    this.running = running;
    this.timers.push(
      this.after(this.plan.startToCloseMs, () => this.timeOut('TIMEOUT_TYPE_START_TO_CLOSE')),
    );
    this.watchHeartbeat();
    void running.ended.then((result) => {
      if (this.running !== running || this.isOver || result.willCompleteAsync) return;
      if (result.completed)
        this.end({
          kind: 'completed',
          attempt: this.number,
          result: result.completed.result ?? null,
        });
      else if (result.cancelled)
        this.end({
          kind: 'cancelled',
          attempt: this.number,
          isStarted: true,
          details: result.cancelled.failure?.canceledFailureInfo?.details?.payloads ?? [],
        });
      else this.fail('failed', result.failed?.failure ?? {});
    });
  }

  /** Records a heartbeat of an attempt. If the attempt has been cancelled, the response to the heartbeat cancels it. */
  private beat(attempt: Attempt, details: Payload): void {
    if (this.running !== attempt || this.isOver) {
      attempt.cancel('NOT_FOUND');
      return;
    }
    this.heartbeat = details;
    this.watchHeartbeat();
    if (this.isCancelRequested) attempt.cancel('CANCELLED');
  }

  private watchHeartbeat(): void {
    this.isLate();
    this.isLate = this.after(this.plan.heartbeatMs, () => this.timeOut('TIMEOUT_TYPE_HEARTBEAT'));
  }

  private timeOut(kind: keyof typeof TimeoutType): void {
    // The worker gets no message. Its next heartbeat fails, as for an activity that the server does not know.
    this.leave();
    this.fail('timedOut', timeoutFailure(kind, this.heartbeat));
  }

  private fail(kind: 'failed' | 'timedOut', failure: Failure): void {
    this.leave();
    this.stopTimers();
    const { plan, number: attempt } = this;
    const passedMs = this.place.time.nowMs() - plan.scheduledMs;
    const leftMs = (plan.scheduleToCloseMs || Number.POSITIVE_INFINITY) - passedMs;
    const delayMs = retryDelayMs(plan.retry, failure, { attempt, leftMs });
    if (this.isCancelRequested || delayMs === null) {
      const retryState = this.isCancelRequested
        ? RetryState.RETRY_STATE_CANCEL_REQUESTED
        : RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED;
      this.end({ kind, attempt, failure, retryState });
      return;
    }
    this.number += 1;
    this.timers.push(this.place.time.after(delayMs, () => this.queue()));
  }

  private leave(): void {
    this.running = null;
  }

  private end(end: ActivityEnd): void {
    this.forget();
    this.plan.onEnd(end);
  }

  private after(ms: number, act: () => void): Cancel {
    return ms > 0 ? this.place.time.after(ms, act) : () => undefined;
  }

  private stopTimers(): void {
    this.isLate();
    for (const cancel of this.timers.splice(0)) cancel();
  }
}
