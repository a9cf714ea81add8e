/**
 * Replaces the whole definition of a monitor or scenario. A run that has begun keeps the version it
 * began with.
 */
import type { OwnedChange } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { showResource } from './get-resource';
import { keepHeaders } from './keep-headers';
import { keepVariables } from './keep-variables';
import type { Kind, KindTypes } from './kind';
import { pauseChange } from './pause-change';
import { keepingSealed, keepingTargets } from './resolve-alerts';
import { findLiveResource, saveChange } from './save-resource';

export interface Replacement<Body> extends OwnedChange {
  readonly body: Body;
  /** null: the pause stays as it is. */
  readonly isEnabled: boolean | null;
}

/** Keeps the version when nothing changes; a changed interval begins a new grid of slots. */
export async function replaceResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id, body, isEnabled, accept }: Replacement<Types['Body']>,
): Promise<Types['View']> {
  const find = async (): Promise<Types['Resource']> => {
    const resource = await findLiveResource(kind, accountId, id);
    accept(resource.version);
    return resource;
  };
  const fields = await kind.compose({ accountId, id, stored: await find() }, body);
  const change = definitionChange(needs, kind, { fields, isEnabled });
  return showResource(needs, kind, await saveChange(needs, kind, { find, change }));
}

/**
 * What a new definition makes of a stored resource, whoever sends it: secrets and masked headers that are
 * not sent again stay, the grid of slots begins anew when the interval changes, and a pause stays
 * unless `isEnabled` says otherwise. Pure but for sealing; the resource itself when nothing changes.
 */
export function definitionChange<Types extends KindTypes>(
  needs: Pick<Dependencies, 'sealers' | 'clock'>,
  kind: Kind<Types>,
  { fields, isEnabled }: { readonly fields: Types['Fields']; readonly isEnabled: boolean | null },
): (previous: Types['Resource']) => Types['Resource'] {
  const nowMs = needs.clock.now();
  return (previous) => {
    const kept = keepVariables(needs, previous, keepHeaders(previous, fields));
    const isSameGrid = previous.intervalSeconds === fields.intervalSeconds;
    const changed = {
      ...kind.withFields(previous, kept),
      alertTargets: keepingSealed(fields, previous.alertTargets).alertTargets,
      anchorMs: isSameGrid ? previous.anchorMs : nowMs,
    };
    return keepingTargets(previous, pauseChange(changed, isEnabled, nowMs));
  };
}
