/** Wakes the workflows of accounts with unfinished rollouts, because such a workflow may have been lost. */
import type { Rollout } from '../../models/rollouts/rollouts';
import { readBatches } from '../lists/read-batches';
import type { TryAccount } from '../lists/try-accounts';
import type { RolloutNeeds } from './rollout-needs';

/** Wakes the workflows. Returns the number of accounts whose workflow was woken. */
export async function wakeRollouts(
  { stores, gateway }: Pick<RolloutNeeds, 'stores' | 'gateway'>,
  tryAccount: TryAccount,
): Promise<number> {
  const tried = new Set<string>();
  let woken = 0;
  await readBatches(
    (batch) => stores.rollouts.listAllOpen(batch),
    async (open: readonly Rollout[]) => {
      for (const { accountId } of open) {
        if (tried.has(accountId)) continue;
        tried.add(accountId);
        await tryAccount(accountId, async () => {
          await gateway.wakeRollouts(accountId);
          woken += 1;
        });
      }
    },
  );
  return woken;
}
