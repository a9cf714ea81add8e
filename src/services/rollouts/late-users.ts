/**
 * Finds resources that were saved with an older profile, environment or variable while a rollout
 * ran.
 */
import type { RolloutCause } from '../../contracts/operations/rollouts';
import type { Resource } from '../../models/resources/resource';
import type { Rollout } from '../../models/rollouts/rollouts';
import { findUsers } from '../lists/find-users';
import { findStaleUsers, VARIABLE_USERS } from '../resources/layer-users';
import type { RolloutNeeds } from './rollout-needs';

/** Ids of resources that the rollout must compose again before it ends. An edit has a fixed set of resources. */
export async function findLateUsers(
  needs: RolloutNeeds,
  rollout: Rollout,
): Promise<readonly string[]> {
  const users = readUsers(rollout.cause);
  if (users === null) return findLateProfileUsers(needs, rollout);
  return (await findStaleUsers(needs, rollout.accountId, users)).map(({ id }) => id);
}

/** Resources with outdated values of the profile. Leaves out resources that the rollout failed to change or skipped. */
async function findLateProfileUsers(
  { stores }: RolloutNeeds,
  rollout: Rollout,
): Promise<readonly string[]> {
  const { accountId } = rollout;
  const key = await findProfileKey({ stores }, rollout);
  const profile = key === null ? null : await stores.profiles.findByKey(accountId, key);
  if (profile === null) return [];
  const filter = { profile: profile.key };
  const users: readonly Resource[] = [
    ...(await findUsers(stores.monitors, accountId, filter)),
    ...(await findUsers(stores.scenarios, accountId, filter)),
  ];
  const late: string[] = [];
  for (const { id, profileVersion } of users) {
    if (profileVersion === profile.setVersion) continue;
    const item = await stores.rolloutItems.find({ accountId, rolloutId: rollout.id }, id);
    if (item?.state !== 'failed' && item?.state !== 'skipped') late.push(id);
  }
  return late;
}

/** The key of the profile that the rollout follows. For an undo, the profile of the undone rollout. */
async function findProfileKey(
  { stores }: Pick<RolloutNeeds, 'stores'>,
  { accountId, cause }: Rollout,
): Promise<string | null> {
  if (cause.type === 'profile') return cause.key;
  if (cause.type !== 'undo') return null;
  const undone = await stores.rollouts.find(accountId, cause.rolloutId);
  return undone?.cause.type === 'profile' ? undone.cause.key : null;
}

function readUsers(cause: RolloutCause) {
  if (cause.type === 'environment') return { environment: cause.key };
  return cause.type === 'variables' ? VARIABLE_USERS : null;
}
