/**
 * Stores measurements without losing any. Each record gets one short attempt as a local activity. If that fails, the
 * record joins the backlog in the workflow state. An ordinary activity that is retried forever then stores the backlog.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  TemporalFailure,
} from '@temporalio/workflow';
import type { RecordActivities, RecordOutcome } from '../../contracts/activities';
import {
  type Backlog,
  type BacklogActivities,
  DATABASE_FAILURES,
  type InFlightRecords,
  type PendingQueue,
  type PendingRecord,
} from '../../contracts/backlog';
import { isLoaded, withDeferred, withDone, withNextInFlight } from '../../domain/states/backlog';

/** The part of the workflow's context that this file uses. */
export interface Recording {
  state: { readonly backlog: Backlog };
  /** Set by every signal and every result. The loop clears it. */
  woken: boolean;
  /** True if the resource is gone. The workflow then ends as soon as it can. */
  removed: boolean;
  /** True while an ordinary activity is waiting for the database to become available. */
  isWaiting: boolean;
  /** True while an ordinary activity retries records that the database refused. */
  isRetrying: boolean;
}

/** Local activities for one short attempt. The attempt is short because it occupies an execution slot of the worker. */
export const local = proxyLocalActivities<RecordActivities>({
  startToCloseTimeout: '3 seconds',
  scheduleToCloseTimeout: '4 seconds',
  retry: { maximumAttempts: 1 },
});

export const durable = proxyActivities<RecordActivities & BacklogActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '20 seconds' },
  summary: 'waits for the database',
});

const stubborn = proxyActivities<BacklogActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 minute', backoffCoefficient: 2, maximumInterval: '30 minutes' },
  summary: 'tries what the database refused',
});

export type Tried<Result> =
  | { readonly kind: 'stored'; readonly result: Result }
  | { readonly kind: 'away' | 'refused' };

/**
 * Stores the record. Resolves after one short attempt at the latest. Returns null if the record could not be stored and
 * has joined the backlog.
 */
export async function storeRecord(
  context: Recording,
  pending: PendingRecord,
): Promise<RecordOutcome | null> {
  if (context.isWaiting) return hold(context, 'waiting', [pending]);
  const tried = await tryOnce(() => storeLocally(pending));
  if (tried.kind !== 'stored')
    return hold(context, tried.kind === 'refused' ? 'refused' : 'waiting', [pending]);
  noteRecordOutcome(context, tried.result);
  return tried.result;
}

/** Begins to store the backlog. Does nothing if this is already in progress. */
export function resumeStoring(context: Recording): void {
  const { waiting, refused } = context.state.backlog;
  if (isLoaded(waiting) && !context.isWaiting) runInBackground(() => handOverWaiting(context));
  if (isLoaded(refused) && !context.isRetrying) runInBackground(() => handOverRefused(context));
}

/** Resolves when no more records of the backlog wait for the database, or when the resource is gone. */
export function awaitStored(context: Recording): Promise<void> {
  return condition(() => context.removed || !isLoaded(context.state.backlog.waiting));
}

/** Makes the call, and returns its result or the kind of failure. Rethrows failures that the database did not cause. */
export async function tryOnce<Result>(call: () => Promise<Result>): Promise<Tried<Result>> {
  try {
    return { kind: 'stored', result: await call() };
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    // The error of a failed local activity is thrown directly, or as the cause of an ActivityFailure.
    const cause = error instanceof ActivityFailure ? error.cause : error;
    const isRefused =
      cause instanceof ApplicationFailure && cause.type === DATABASE_FAILURES.refused;
    return { kind: isRefused ? 'refused' : 'away' };
  }
}

export function runInBackground(work: () => Promise<void>): void {
  void CancellationScope.nonCancellable(work);
}

export function noteRecordOutcome(
  context: Pick<Recording, 'removed' | 'woken'>,
  { gone }: RecordOutcome,
): void {
  if (!gone) return;
  context.removed = true;
  context.woken = true;
}

function storeLocally({ kind, record }: PendingRecord): Promise<RecordOutcome> {
  return kind === 'monitor' ? local.recordMonitorCheck(record) : local.recordScenarioSlot(record);
}

async function handOverWaiting(context: Recording): Promise<void> {
  context.isWaiting = true;
  await handOver(context, 'waiting', ({ handed }) => durable.recordWaiting(handed));
  context.isWaiting = false;
  context.woken = true;
}

async function handOverRefused(context: Recording): Promise<void> {
  context.isRetrying = true;
  await handOver(context, 'refused', ({ handed: pendingRecords, sinceMs }) =>
    stubborn.retryRefused({ records: pendingRecords, sinceMs }),
  );
  context.isRetrying = false;
}

async function handOver(
  context: Recording,
  queue: keyof Backlog,
  call: (queue: PendingQueue) => Promise<InFlightRecords>,
): Promise<void> {
  while (isLoaded(context.state.backlog[queue]) && !context.removed) {
    setBacklog(context, withNextInFlight(context.state.backlog, queue, Date.now()));
    const { handed } = context.state.backlog[queue];
    const { gone, done, refused } = await call(context.state.backlog[queue]);
    noteRecordOutcome(context, { gone });
    setBacklog(context, withDone(context.state.backlog, queue, done));
    const again = handed.filter((_, index) => refused.includes(index));
    if (again.length > 0) hold(context, 'refused', again);
  }
}

function hold(
  context: Recording,
  queue: keyof Backlog,
  pendingRecords: readonly PendingRecord[],
): null {
  setBacklog(context, withDeferred(context.state.backlog, queue, pendingRecords));
  resumeStoring(context);
  return null;
}

function setBacklog(context: Recording, backlog: Backlog): void {
  context.state = { ...context.state, backlog };
}
