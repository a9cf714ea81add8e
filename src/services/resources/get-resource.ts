/** A stored monitor or scenario as it is shown: with its status, and without channels that are gone. */

import type { Resource } from '../../models/resources/resource';
import type { Dependencies } from '../ports/dependencies';
import { findStatus } from './find-status';
import type { Kind, KindTypes } from './kind';
import { withoutGoneChannels } from './resolve-alerts';
import { withoutGoneDependencies } from './resolve-dependencies';
import { findResource } from './save-resource';

/** Throws `not_found`, also for an id of another account. */
export async function getResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id }: Pick<Resource, 'accountId' | 'id'>,
): Promise<Types['View']> {
  return showResource(needs, kind, await findResource(kind, accountId, id));
}

/** Two queries side by side; it changes nothing. */
export async function showResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  resource: Types['Resource'],
): Promise<Types['View']> {
  const [status, [{ alerts } = resource], [{ dependsOn } = resource]] = await Promise.all([
    findStatus(needs, resource),
    withoutGoneChannels(needs, resource.accountId, [resource]),
    withoutGoneDependencies(needs, resource.accountId, [resource]),
  ]);
  return kind.present({ ...resource, alerts, dependsOn }, status);
}
