/** Finds resources that were saved with an older state while a rollout ran. */
import type { RolloutCause } from '../../contracts/operations/rollouts';
import type { Rollout } from '../../models/rollouts/rollouts';
import { findStaleUsers, VARIABLE_USERS } from '../resources/layer-users';
import type { RolloutNeeds } from './rollout-needs';

/** Ids of resources that the rollout must compose again before it ends. An edit has a fixed set of resources. */
export async function findLateUsers(
  needs: RolloutNeeds,
  { accountId, cause }: Rollout,
): Promise<readonly string[]> {
  const users = readUsers(cause);
  if (users === null) return [];
  return (await findStaleUsers(needs, accountId, users)).map(({ id }) => id);
}

function readUsers(cause: RolloutCause) {
  if (cause.type === 'environment') return { environment: cause.key };
  return cause.type === 'variables' ? VARIABLE_USERS : null;
}
