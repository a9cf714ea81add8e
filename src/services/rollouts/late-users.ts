/** Finds resources that were saved with an older state while a rollout ran. */
import type { Rollout } from '../../models/rollouts/rollouts';
import type { RolloutNeeds } from './rollout-needs';

/** Ids of resources that the rollout must compose again before it ends. An edit has a fixed set of resources. */
export async function findLateUsers(
  _needs: RolloutNeeds,
  _rollout: Rollout,
): Promise<readonly string[]> {
  return [];
}
