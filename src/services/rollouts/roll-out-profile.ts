/** Plans and starts the rollouts that give resources the values of a changed profile. */
import type { Profile } from '../../models/resources/profiles';
import { isUnavailable } from '../../platform/errors';
import { refuseProblems } from '../lists/field-problems';
import { findUsers } from '../lists/find-users';
import { readBatches } from '../lists/read-batches';
import type { TryAccount } from '../lists/try-accounts';
import type { Dependencies } from '../ports/dependencies';
import type { KindNeeds } from '../resources/kind';
import { planRollout, type RolloutPlan } from './plan-rollout';
import { startRollout } from './start-rollout';

type StartNeeds = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId'>;

/** Lists the ids of all monitors and scenarios that use the profile. */
export async function listUserIds(
  { stores }: Pick<Dependencies, 'stores'>,
  { accountId, key }: Pick<Profile, 'accountId' | 'key'>,
): Promise<readonly string[]> {
  const filter = { profile: key };
  const [monitors, scenarios] = await Promise.all([
    findUsers(stores.monitors, accountId, filter),
    findUsers(stores.scenarios, accountId, filter),
  ]);
  return [...monitors, ...scenarios].map(({ id }) => id);
}

/** Plans how a changed profile would affect the resources that use it. Called before the profile is stored. */
export function planProfile(
  needs: KindNeeds,
  profile: Profile,
  ids: readonly string[],
): Promise<RolloutPlan> {
  const { accountId, key } = profile;
  const { profiles } = needs.stores;
  const findByKey: typeof profiles.findByKey = async (owner, wanted) =>
    owner === accountId && wanted === key ? profile : profiles.findByKey(owner, wanted);
  const stores = { ...needs.stores, profiles: { ...profiles, findByKey } };
  const change = { type: 'recompose' } as const;
  return planRollout({ ...needs, stores }, { accountId, change, ids });
}

/** Throws one error with all problems of the plan. The path of each problem leads to a field of the profile. */
export function refuseProfilePlan({ problems }: RolloutPlan, { set }: Pick<Profile, 'set'>): void {
  refuseProblems(
    problems.map(({ id, name, path, code, message }) => {
      const [field = ''] = path.split(/[.[]/);
      const isOfProfile = Object.hasOwn(set, field);
      const what = isOfProfile || path === '' ? message : `makes ${path} invalid: it ${message}`;
      return {
        path: isOfProfile ? `set.${path}` : 'set',
        code,
        message: `${what} (${id}${name === '' ? '' : `, ${name}`})`,
      };
    }),
  );
}

/**
 * Starts the rollout that is stored with the profile. If the database or Temporal does not respond, housekeeping starts
 * the rollout within a minute.
 */
export async function startStoredRollout(
  needs: StartNeeds,
  profile: Profile,
  plan?: RolloutPlan,
): Promise<void> {
  try {
    await startPending(needs, profile, plan);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

/** Starts the rollouts that are missing because a crash followed a change of a profile. Returns their number. */
export async function startPendingRollouts(
  needs: StartNeeds,
  tryAccount: TryAccount,
): Promise<number> {
  let started = 0;
  await readBatches(
    (batch) => needs.stores.profiles.listPending(batch),
    async (pending: readonly Profile[]) => {
      for (const profile of pending)
        await tryAccount(profile.accountId, async () => {
          await startPending(needs, profile);
          started += 1;
        });
    },
  );
  return started;
}

/** Starts the rollout. Safe to repeat, even by two processes at once. */
async function startPending(
  needs: StartNeeds,
  profile: Profile,
  plan?: RolloutPlan,
): Promise<void> {
  const { id: profileId, accountId, key, rollout } = profile;
  if (rollout === null || !rollout.isPending) return;
  const { id, actor, undoes } = rollout;
  const { stores } = needs;
  if ((await stores.rollouts.find(accountId, id)) === null) {
    const cause =
      undoes === undefined
        ? ({ type: 'profile', key } as const)
        : ({ type: 'undo', rolloutId: undoes } as const);
    const ids = await listUserIds(needs, profile);
    const request = { id, accountId, actor, cause, change: { type: 'recompose' }, ids } as const;
    await startRollout(needs, { ...request, ...(plan !== undefined && { plan }) });
  }
  await stores.profiles.noteStarted(accountId, profileId, id);
}
