/** Uptime of a monitor or scenario over a window. */

import type { Resource } from '../../models/resources/resource';
import type { UptimeResponse } from '../../schemas/responses/uptime';
import type { Dependencies } from '../ports/dependencies';
import { presentUptime } from './present-uptime';
import type { ResourcePort } from './resource-port';
import { measureUptime, type UptimeRequest } from './resource-uptime';
import { findResource } from './save-resource';

/**
 * Returns the uptime. The response time of a scenario is the duration of its passing runs. Throws `not_found` if the id
 * is unknown or of another account.
 */
export async function getUptime<Entity extends Resource>(
  needs: Dependencies,
  port: ResourcePort<Entity>,
  { accountId, ...request }: UptimeRequest & { readonly accountId: string },
): Promise<UptimeResponse> {
  const resource = await findResource(port, accountId, request.id);
  return presentUptime(await measureUptime(needs, resource, request));
}
