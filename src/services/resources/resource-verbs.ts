/**
 * Create, read, replace, pause, resume and delete for monitors and scenarios. Differences between them are defined by
 * their kinds.
 */

import type { Resource } from '../../models/resources/resource';
import { forgetResource } from '../maintenance/forget-resource';
import type { OwnedChange } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { sealVariables } from '../secrets/secret-variables';
import { findStatus } from './find-status';
import { keepHeaders } from './keep-headers';
import { keepVariables } from './keep-variables';
import type { Kind, KindTypes, ResourceBase } from './kind';
import {
  ACTIVE,
  type PauseRequest,
  pauseChange,
  pausedFrom,
  pauseNow,
  requireFutureEnd,
  resumeChange,
} from './pause';
import { keepingSealed, keepingTargets, withoutGoneChannels } from './resolve-alerts';
import { withoutGoneDependencies } from './resolve-dependencies';
import type { ResourcePort } from './resource-port';
import {
  findLiveResource,
  findResource,
  removeResource,
  saveChange,
  saveNew,
} from './save-resource';

type Needs = Pick<Dependencies, 'newId' | 'clock' | 'sealers'>;

/** Throws `key_taken`, `unknown_region`, `blocked_target` or `unavailable` without storing anything. */
export async function createResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, body }: { readonly accountId: string; readonly body: Types['Body'] },
): Promise<Types['View']> {
  const resource = await firstVersion(needs, kind, { accountId, body });
  await saveNew(needs, kind, resource);
  return kind.present(resource, null);
}

interface NewResource<Body> {
  readonly accountId: string;
  readonly body: Body;
  /** By default, a new id. */
  readonly id?: string;
}

/** Builds the resource from a body without storing it. */
export async function firstVersion<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  { accountId, body, id = needs.newId(kind.idKind) }: NewResource<Types['Body']>,
): Promise<Types['Resource']> {
  const fields = await kind.compose({ accountId, id, stored: null }, body);
  const nowMs = needs.clock.now();
  const base: ResourceBase = {
    id,
    accountId,
    version: 1,
    revision: 1,
    ...(body.enabled ? ACTIVE : pausedFrom(nowMs)),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    anchorMs: nowMs,
  };
  return kind.withFields(base, sealVariables(needs, base, fields));
}

/** Throws `not_found`, also for an id of another account. */
export async function getResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id }: Pick<Resource, 'accountId' | 'id'>,
): Promise<Types['View']> {
  return showResource(needs, kind, await findResource(kind, accountId, id));
}

/** Makes its queries in parallel; changes nothing. */
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

export interface Replacement<Body> extends OwnedChange {
  readonly body: Body;
  /** null: the pause does not change. */
  readonly isEnabled: boolean | null;
}

/** Keeps the version when nothing changes. A changed interval starts a new grid of slots. */
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
 * Applies a new definition to a stored resource: secrets and masked headers that are not sent again stay, the grid of
 * slots starts over when the interval changes, and a pause stays unless `isEnabled` says otherwise. Pure except for
 * encryption. Returns `previous` itself when nothing changes.
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

type Target = Pick<Resource, 'accountId' | 'id'>;

/** Resolves after the pause has taken effect: no checks are sent from then on. Idempotent. */
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

/** Resolves after the change has taken effect; checks continue at the next slot. Idempotent. */
export async function resumeResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id }: Target,
): Promise<Types['View']> {
  const resource = await saveChange(needs, kind, {
    find: () => findLiveResource(kind, accountId, id),
    change: (previous: Types['Resource']) => resumeChange(previous, needs.clock.now()),
  });
  return showResource(needs, kind, resource);
}

/** Once this resolves, no checks are sent and nothing is written any more. */
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
