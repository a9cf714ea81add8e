/** Deletes a monitor or scenario with everything that belongs to it. */

import type { Resource } from '../../models/resources/resource';
import { forgetResource } from '../maintenance/forget-resource';
import type { Dependencies } from '../ports/dependencies';
import type { ResourcePort } from './resource-port';
import { findResource, removeResource } from './save-resource';

export interface Deletion {
  readonly accountId: string;
  readonly id: string;
  /** Throws when the stored version is not the one that the caller knows. */
  readonly accept: (version: number) => void;
}

/** Nothing is sent and nothing is written any more once it has answered. */
export async function deleteResource<Entity extends Resource>(
  needs: Dependencies,
  port: ResourcePort<Entity>,
  { accountId, id, accept }: Deletion,
): Promise<void> {
  await removeResource(needs, port, async () => {
    const resource = await findResource(port, accountId, id);
    accept(resource.version);
    return resource;
  });
  await forgetResource(needs, accountId, id);
}
