/**
 * Hands what was measured to the database and never loses it: one short try as a local activity, and
 * when the database does not take it, it waits in the workflow's state while checks go on. One
 * ordinary activity at a time, retried for ever, hands over all that waits.
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
import type { HubActivities, SettleAnswer } from '../../contracts/activities';
import {
  type Backlog,
  type BacklogActivities,
  DATABASE_FAILURES,
  type HandedOver,
  type Lane,
  type Settlement,
} from '../../contracts/backlog';
import { isLoaded, withDone, withHeld, withNextHanded } from '../../domain/states/backlog';

/** What a running workflow holds besides its state, as far as it matters here. */
export interface Settling {
  state: { readonly backlog: Backlog };
  /** Set by every signal and answer; the loop clears it before it looks at the state. */
  woken: boolean;
  /** The resource is gone: the workflow ends as soon as it can. */
  removed: boolean;
  /** The database is away: an ordinary activity waits for it, and nothing else is tried. */
  isWaiting: boolean;
  /** An ordinary activity goes on trying what the database refused. */
  isRetrying: boolean;
}

/** Once and not for long: while it runs, it keeps a place of the worker. */
export const local = proxyLocalActivities<HubActivities>({
  startToCloseTimeout: '3 seconds',
  scheduleToCloseTimeout: '4 seconds',
  retry: { maximumAttempts: 1 },
});

export const durable = proxyActivities<HubActivities & BacklogActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '20 seconds' },
  summary: 'waits for the database',
});

const stubborn = proxyActivities<BacklogActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 minute', backoffCoefficient: 2, maximumInterval: '30 minutes' },
  summary: 'tries what the database refused',
});

export type Tried<Answer> =
  | { readonly kind: 'stored'; readonly answer: Answer }
  | { readonly kind: 'away' | 'refused' };

/**
 * Resolves once the settlement is stored, or stands in the state (null); never later than one short
 * try.
 */
export async function settle(
  keeper: Settling,
  settlement: Settlement,
): Promise<SettleAnswer | null> {
  if (keeper.isWaiting) return hold(keeper, 'waiting', [settlement]);
  const tried = await tryOnce(() => storeLocally(settlement));
  if (tried.kind !== 'stored')
    return hold(keeper, tried.kind === 'refused' ? 'refused' : 'waiting', [settlement]);
  noteAnswer(keeper, tried.answer);
  return tried.answer;
}

/** Begins to hand over what stands in the state; nothing when that is under way. */
export function resumeSettling(keeper: Settling): void {
  const { waiting, refused } = keeper.state.backlog;
  if (isLoaded(waiting) && !keeper.isWaiting) inBackground(() => handOverWaiting(keeper));
  if (isLoaded(refused) && !keeper.isRetrying) inBackground(() => handOverRefused(keeper));
}

/** Resolves when nothing waits for the database any more, or the resource is gone. */
export function untilSettled(keeper: Settling): Promise<void> {
  return condition(() => keeper.removed || !isLoaded(keeper.state.backlog.waiting));
}

/** What came of one call: a failure that is not the database's is thrown. */
export async function tryOnce<Answer>(call: () => Promise<Answer>): Promise<Tried<Answer>> {
  try {
    return { kind: 'stored', answer: await call() };
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    // A failed local activity arrives bare or inside an ActivityFailure.
    const cause = error instanceof ActivityFailure ? error.cause : error;
    const isRefused =
      cause instanceof ApplicationFailure && cause.type === DATABASE_FAILURES.refused;
    return { kind: isRefused ? 'refused' : 'away' };
  }
}

export function inBackground(work: () => Promise<void>): void {
  void CancellationScope.nonCancellable(work);
}

export function noteAnswer(
  keeper: Pick<Settling, 'removed' | 'woken'>,
  { gone }: SettleAnswer,
): void {
  if (!gone) return;
  keeper.removed = true;
  keeper.woken = true;
}

function storeLocally({ kind, record }: Settlement): Promise<SettleAnswer> {
  return kind === 'monitor' ? local.settleMonitor(record) : local.settleScenario(record);
}

async function handOverWaiting(keeper: Settling): Promise<void> {
  keeper.isWaiting = true;
  await handOver(keeper, 'waiting', ({ handed }) => durable.settleWaiting(handed));
  keeper.isWaiting = false;
  keeper.woken = true;
}

async function handOverRefused(keeper: Settling): Promise<void> {
  keeper.isRetrying = true;
  await handOver(keeper, 'refused', ({ handed: settlements, sinceMs }) =>
    stubborn.settleRefused({ settlements, sinceMs }),
  );
  keeper.isRetrying = false;
}

async function handOver(
  keeper: Settling,
  lane: keyof Backlog,
  call: (lane: Lane) => Promise<HandedOver>,
): Promise<void> {
  while (isLoaded(keeper.state.backlog[lane]) && !keeper.removed) {
    setBacklog(keeper, withNextHanded(keeper.state.backlog, lane, Date.now()));
    const { handed } = keeper.state.backlog[lane];
    const { gone, answered, refused } = await call(keeper.state.backlog[lane]);
    noteAnswer(keeper, { gone });
    setBacklog(keeper, withDone(keeper.state.backlog, lane, answered));
    const again = handed.filter((_, index) => refused.includes(index));
    if (again.length > 0) hold(keeper, 'refused', again);
  }
}

function hold(keeper: Settling, lane: keyof Backlog, settlements: readonly Settlement[]): null {
  setBacklog(keeper, withHeld(keeper.state.backlog, lane, settlements));
  resumeSettling(keeper);
  return null;
}

function setBacklog(keeper: Settling, backlog: Backlog): void {
  keeper.state = { ...keeper.state, backlog };
}
