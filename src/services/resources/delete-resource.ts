/** Deletes a monitor or scenario with everything that belongs to it. */

import type { Resource } from '../../models/resources/resource';
import { forgetResource } from '../maintenance/forget-resource';
import type { OwnedChange } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import type { ResourcePort } from './resource-port';
import { findResource, removeResource } from './save-resource';

/** Nothing is sent and nothing is written any more once it has answered. */
export async function deleteResource<Entity extends Resource>(
  needs: Dependencies,
  port: ResourcePort<Entity>,
  { accountId, id, accept }: OwnedChange,
): Promise<void> {
  await removeResource(needs, port, async () => {
    const resource = await findResource(port, accountId, id);
    accept(resource.version);
    return resource;
  });
  await forgetResource(needs, accountId, id);
}
