/** Creates a monitor or scenario: stored, then started; its first check follows at once. */
import type { Dependencies } from '../ports/dependencies';
import { sealVariables } from '../secrets/secret-variables';
import type { Kind, KindTypes, ResourceBase } from './kind';
import { ACTIVE, pausedFrom } from './pause-state';
import { saveNew } from './save-resource';

type Needs = Pick<Dependencies, 'newId' | 'clock' | 'sealers'>;

/** Throws `key_taken`, `unknown_region`, `blocked_target` or `engine_unavailable`; nothing is stored then. */
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
  /** Where it is known already; a fresh one otherwise. */
  readonly id?: string;
}

/** The resource that a body makes; nothing is stored. */
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
