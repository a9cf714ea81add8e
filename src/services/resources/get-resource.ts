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
  row: Types['Row'],
): Promise<Types['View']> {
  const [status, [{ alerts } = row], [{ dependsOn } = row]] = await Promise.all([
    findStatus(needs, row),
    withoutGoneChannels(needs, row.accountId, [row]),
    withoutGoneDependencies(needs, row.accountId, [row]),
  ]);
  return kind.present({ ...row, alerts, dependsOn }, status);
}
