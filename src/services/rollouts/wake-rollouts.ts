/** Wakes the workflows of rollouts that have not ended, since a workflow may have been lost. */
import type { Rollout } from '../../models/rollouts/rollouts';
import { readBatches } from '../lists/read-batches';
import type { RolloutNeeds } from './rollout-needs';

/** Returns the number of accounts. Throws if the database or Temporal is unavailable, or the signal is aborted. */
export async function wakeRollouts(
  { stores, gateway }: Pick<RolloutNeeds, 'stores' | 'gateway'>,
  signal: AbortSignal,
): Promise<number> {
  const woken = new Set<string>();
  await readBatches(
    (batch) => stores.rollouts.listAllOpen(batch),
    async (open: readonly Rollout[]) => {
      for (const { accountId } of open) {
        signal.throwIfAborted();
        if (woken.has(accountId)) continue;
        woken.add(accountId);
        await gateway.wakeRollouts(accountId);
      }
    },
  );
  return woken.size;
}
