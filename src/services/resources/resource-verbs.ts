/** Creates, reads, replaces, pauses, resumes and deletes monitors and scenarios. */

import type { Fields } from '../../domain/definitions/layers';
import type { Resource } from '../../models/resources/resource';
import { forgetResource } from '../maintenance/forget-resource';
import type { OwnedChange } from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';
import { sealVariables } from '../secrets/secret-variables';
import { type BodyChange, composeLayered } from './compose-layered';
import { buildBodyView, createDefinitionChange } from './definition-change';
import { findStatus } from './find-status';
import { followProfile } from './follow-profile';
import type { Kind, KindTypes, Owner, ResourceBase } from './kind';
import {
  ACTIVE,
  type PauseRequest,
  pauseNow,
  requireFutureEnd,
  resumeChange,
  toPausedFields,
} from './pause';
import { withoutGoneChannels } from './resolve-alerts';
import { withoutGoneDependencies } from './resolve-dependencies';
import type { ResourcePort } from './resource-port';
import {
  findLiveResource,
  findResource,
  removeResource,
  saveChange,
  saveNew,
} from './save-resource';

type Needs = Pick<Dependencies, 'newId' | 'clock' | 'sealers' | 'stores' | 'configuredRegions'>;

/**
 * Creates a resource. Throws `validation_failed`, `key_taken`, `limit_reached`, `unknown_region`, `blocked_target` or
 * `unavailable`. In these cases, nothing is stored.
 */
export async function createResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, sent }: { readonly accountId: string; readonly sent: Fields },
): Promise<Types['View']> {
  const resource = await buildFirstVersion(needs, kind, { accountId, sent });
  await saveNew(needs, kind, resource);
  return kind.present(await followProfile(needs, kind, resource), null);
}

interface NewResource {
  readonly accountId: string;
  /** The body as the client sent it. */
  readonly sent: Fields;
  /** The id. By default, it is a new id. */
  readonly id?: string;
}

/** Builds the resource from a body and its profile without storing it. */
export async function buildFirstVersion<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  { accountId, sent, id = needs.newId(kind.idKind) }: NewResource,
): Promise<Types['Resource']> {
  const owner = { accountId, id, stored: null };
  const change = { type: 'create' } as const;
  const { body, fields } = await composeLayered(needs, kind, { owner, sent, change, view: null });
  return buildResource(needs, kind, { owner, fields, isEnabled: body.enabled });
}

interface Built<Fields> {
  readonly owner: Pick<Owner<unknown>, 'accountId' | 'id'>;
  readonly fields: Fields;
  readonly isEnabled: boolean;
}

/** Builds the first version of a resource with the given fields. */
export function buildResource<Types extends KindTypes>(
  needs: Pick<Needs, 'clock' | 'sealers'>,
  kind: Kind<Types>,
  { owner: { accountId, id }, fields, isEnabled }: Built<Types['Fields']>,
): Types['Resource'] {
  const nowMs = needs.clock.now();
  const base: ResourceBase = {
    id,
    accountId,
    version: 1,
    revision: 1,
    ...(isEnabled ? ACTIVE : toPausedFields(nowMs)),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    anchorMs: nowMs,
  };
  return kind.withFields(base, sealVariables(needs, base, fields));
}

/** Returns the resource. Throws `not_found` if the id is unknown or of another account. */
export async function getResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id }: Pick<Resource, 'accountId' | 'id'>,
): Promise<Types['View']> {
  return showResource(needs, kind, await findResource(kind, accountId, id));
}

/** Returns the resource as responses show it. Makes its queries in parallel. */
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

export interface Replacement extends OwnedChange {
  /** A complete definition: the body that was sent, or the result of a patch. */
  readonly sent: Fields;
  readonly change: BodyChange;
  /** Whether the resource becomes active or paused. null leaves a pause unchanged. */
  readonly isEnabled: boolean | null;
}

/** Replaces the definition. Keeps the version if nothing changes. If the interval changes, a new time grid begins. */
export async function replaceResource<Types extends KindTypes>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id, sent, change: type, isEnabled, accept }: Replacement,
): Promise<Types['View']> {
  const find = async (): Promise<Types['Resource']> => {
    const resource = await findLiveResource(kind, accountId, id);
    accept(resource.version);
    return resource;
  };
  const stored = await find();
  const owner = { accountId, id, stored };
  const view = buildBodyView(kind, stored);
  const { fields } = await composeLayered(needs, kind, { owner, sent, change: type, view });
  const change = createDefinitionChange(needs, kind, { fields, isEnabled });
  const saved = await saveChange(needs, kind, { find, change });
  return showResource(needs, kind, await followProfile(needs, kind, saved));
}

type Target = Pick<Resource, 'accountId' | 'id'>;

/** Pauses the resource. Resolves after the pause has taken effect. After that, no checks are sent. Idempotent. */
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

/** Resumes the resource. Resolves after the change has taken effect. Checks continue at the next slot. Idempotent. */
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

/** Deletes the resource. After this resolves, no checks are sent and nothing is written for the resource. */
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
