/** Composes a resource again if its profile changed while the resource was being saved. */
import { AppError, isUnavailable } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { buildBodyView, composeAgain } from './definition-change';
import type { Kind, KindNeeds, KindTypes } from './kind';
import { findLiveResource, saveChange } from './save-resource';

type Needs = KindNeeds & Pick<Dependencies, 'sleep'>;

/**
 * Maximum number of times that the resource is composed again. A profile does not change more often during one request.
 */
const TRIES_MAX = 5;

/**
 * Returns the stored resource. If the profile changed before the resource was stored, the rollout of the profile may
 * have missed the resource. The change is then applied here. If it would make the definition invalid, the definition
 * stays.
 */
export async function followProfile<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  saved: Types['Resource'],
): Promise<Types['Resource']> {
  let current = saved;
  for (let tries = 0; tries < TRIES_MAX && (await isOutdated(needs, current)); tries += 1)
    try {
      current = await saveAgain(needs, kind, current);
    } catch (error) {
      if (!(error instanceof AppError) || isUnavailable(error)) throw error;
      return current;
    }
  return current;
}

async function isOutdated(
  { stores }: Pick<Needs, 'stores'>,
  { accountId, profile, profileVersion }: KindTypes['Resource'],
): Promise<boolean> {
  if (profile === undefined) return false;
  const version = await stores.profiles.findVersion(accountId, profile);
  return version !== null && version !== profileVersion;
}

/** Saves the resource again. If another write was faster, keeps its result and compares the profile again. */
async function saveAgain<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  { accountId, id }: Types['Resource'],
): Promise<Types['Resource']> {
  const stored = await findLiveResource(kind, accountId, id);
  const sent = buildBodyView(kind, stored);
  const next = await composeAgain(needs, kind, stored, { sent, change: { type: 'recompose' } });
  return saveChange(needs, kind, {
    find: () => findLiveResource(kind, accountId, id),
    change: (previous) => (previous.version === stored.version ? next : previous),
  });
}
