/** Pauses a monitor or scenario until it is resumed or the pause ends by itself, and resumes it. */

import type { Resource } from '../../models/resources/resource';
import type { Dependencies } from '../ports/dependencies';
import { showResource } from './get-resource';
import type { Kind, KindTypes } from './kind';
import { type PauseRequest, pauseNow, requireFutureEnd, resumeChange } from './pause-change';
import { findLiveResource, saveChange } from './save-resource';

type Target = Pick<Resource, 'accountId' | 'id'>;

/** Idempotent; answers after the pause took effect: nothing is sent from then on. */
export async function pauseResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id, pause }: Target & { readonly pause: PauseRequest },
): Promise<Types['View']> {
  requireFutureEnd(pause, needs.clock.now());
  const resource = await saveChange(needs, kind, {
    find: () => findLiveResource(kind, accountId, id),
    change: (previous: Types['Resource']) => pauseNow(previous, pause, needs.clock.now()),
  });
  return showResource(needs, kind, resource);
}

/** Idempotent; answers after it took effect. It goes on at its next slot. */
export async function resumeResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id }: Target,
): Promise<Types['View']> {
  const resource = await saveChange(needs, kind, {
    find: () => findLiveResource(kind, accountId, id),
    change: (previous: Types['Resource']) => resumeChange(previous),
  });
  return showResource(needs, kind, resource);
}
