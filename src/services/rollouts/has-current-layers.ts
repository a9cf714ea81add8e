/** Finds definitions with outdated values of their profile, environment or account. */
import type { Dependencies } from '../ports/dependencies';
import type { Kind, KindTypes } from '../resources/kind';
import { hasCurrentInheritance } from '../resources/layer-users';

/**
 * True if the definition has the current values of its profile, environment and account. Values of a deleted profile or
 * environment count as current.
 */
export async function hasCurrentLayers<Types extends KindTypes>(
  needs: Pick<Dependencies, 'stores'>,
  kind: Kind<Types>,
  resource: Types['Resource'],
): Promise<boolean> {
  const { accountId, profile: key, profileVersion } = resource;
  const profile = key === undefined ? null : await needs.stores.profiles.findByKey(accountId, key);
  if (profile !== null && profile.setVersion !== profileVersion) return false;
  return hasCurrentInheritance(needs, kind, resource);
}
