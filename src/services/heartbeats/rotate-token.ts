/** Another token for a heartbeat; the one before it is good for a day more, so that jobs can be changed. */

import type { Monitor } from '../../models/resources/monitors';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { showResource } from '../resources/get-resource';
import type { Kind, KindTypes } from '../resources/kind';
import { findLiveResource, saveChange } from '../resources/save-resource';
import { newPingAddress } from './ping-address';

const FORMER_KEPT_MS = 24 * 3_600_000;

/** Throws `not_found`, and `validation_failed` for a monitor that is no heartbeat. */
export async function rotateToken<Types extends KindTypes & { readonly Resource: Monitor }>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Types['View']> {
  const untilMs = needs.clock.now() + FORMER_KEPT_MS;
  const change = (resource: Types['Resource']): Types['Resource'] => {
    if (resource.heartbeat === null)
      throw new AppError('validation_failed', 'Only heartbeats have a token.');
    const former = { hash: resource.heartbeat.address.hash, untilMs };
    const address = { ...newPingAddress(needs, resource), former };
    return { ...resource, heartbeat: { ...resource.heartbeat, address } };
  };
  const find = () => findLiveResource(kind, accountId, id);
  return showResource(needs, kind, await saveChange(needs, kind, { find, change }));
}
