/**
 * Hands what was measured to the database and never loses it: a local activity with a short retry,
 * and when that fails an ordinary one that is retried for ever while the workflow goes on.
 */
import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  TemporalFailure,
} from '@temporalio/workflow';
import type { HubActivities, SettleAnswer } from '../contracts/activities';

/** Where a workflow stands with the database. */
export interface Settling {
  /** Set by every signal and answer; the loop clears it before it looks at the state. */
  woken: boolean;
  /** The resource is gone: the workflow ends as soon as it can. */
  removed: boolean;
  /** Settlements that still wait for the database. */
  unsettled: number;
}

/** Settlements that may wait for the database before the workflow waits with them. */
const UNSETTLED_MAX = 100;

const local = proxyLocalActivities<HubActivities>({
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '12 seconds',
  retry: { maximumAttempts: 3, initialInterval: '250 milliseconds', backoffCoefficient: 2 },
});

const durable = proxyActivities<HubActivities>({
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '20 seconds' },
  summary: 'waits for the database',
});

type Settlement = (hub: HubActivities) => Promise<SettleAnswer>;

/**
 * Resolves once the settlement is stored, or is safe in an ordinary activity while the database is
 * away. Marks the keeper as removed when the database no longer knows the resource.
 */
export async function settle(keeper: Settling, settlement: Settlement): Promise<void> {
  if (keeper.unsettled === 0) {
    const answer = await tryLocally(settlement);
    if (answer !== null) {
      note(keeper, answer);
      return;
    }
  }
  settleInBackground(keeper, settlement);
  await condition(() => keeper.unsettled < UNSETTLED_MAX || keeper.removed);
}

/** Stores at once or waits in an ordinary activity until it is stored. */
export async function settleBeforeGoingOn(settlement: Settlement): Promise<SettleAnswer> {
  const answer = await tryLocally(settlement);
  return answer ?? (await settlement(durable));
}

/** The answer, or null when the database did not take it. */
async function tryLocally(settlement: Settlement): Promise<SettleAnswer | null> {
  try {
    return await settlement(local);
  } catch (error) {
    // A failed local activity arrives bare or inside an ActivityFailure.
    if (error instanceof TemporalFailure && !isCancellation(error)) return null;
    throw error;
  }
}

function settleInBackground(keeper: Settling, settlement: Settlement): void {
  keeper.unsettled += 1;
  void CancellationScope.nonCancellable(async () => {
    const answer = await settlement(durable);
    keeper.unsettled -= 1;
    keeper.woken = true;
    note(keeper, answer);
  });
}

function note(keeper: Settling, { gone }: SettleAnswer): void {
  if (!gone) return;
  keeper.removed = true;
  keeper.woken = true;
}
