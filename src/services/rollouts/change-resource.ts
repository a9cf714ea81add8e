/**
 * Changes one resource of a rollout. Builds the changed resource with the rules of PATCH and PUT, without storing it.
 */
import type { RolloutChange } from '../../contracts/operations/rollouts';
import type { Resource } from '../../models/resources/resource';
import type { ItemOutcome, RolloutItem } from '../../models/rollouts/rollout-items';
import { isSameJson } from '../../platform/canonical-json';
import { readRecord } from '../../schemas/loose';
import { mergeBody } from '../lists/patch-body';
import { buildBodyView, composeAgain } from '../resources/definition-change';
import type { Kind, KindNeeds, KindTypes } from '../resources/kind';

import { hashDefinition } from './hash-definition';

type Needs = Pick<KindNeeds, 'sealers' | 'clock' | 'stores' | 'configuredRegions'>;
type EditChange = Extract<RolloutChange, { readonly type: 'edit' }>;

/** Returns the edited resource. If nothing changes, returns the resource itself. Throws the errors of PATCH. */
export async function editResource<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  resource: Types['Resource'],
  { set, unset }: Omit<EditChange, 'type'>,
): Promise<Types['Resource']> {
  const stored = buildBodyView(kind, resource);
  const patch = { ...set, ...Object.fromEntries(unset.map((name) => [name, null])) };
  const sent = readRecord(mergeBody(kind.shape, { stored, patch }));
  return composeAgain(needs, kind, resource, {
    sent,
    change: { type: 'patch', patch: withoutProfile(set, unset), unset },
  });
}

/**
 * Unsetting the profile removes the profile from the resource, which keeps its values. All other unset fields get their
 * default, but a profile has no default.
 */
function withoutProfile(set: EditChange['set'], unset: readonly string[]): EditChange['set'] {
  return unset.includes('profile') ? { ...set, profile: null } : set;
}

/**
 * Computes the definition again from the current profile, environment and account variables. Returns the resource
 * itself if nothing changes.
 */
export async function recompose<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  resource: Types['Resource'],
): Promise<Types['Resource']> {
  const sent = buildBodyView(kind, resource);
  return composeAgain(needs, kind, resource, { sent, change: { type: 'recompose' } });
}

const CHANGED_SINCE: NonNullable<ItemOutcome['reason']> = {
  code: 'changed_since',
  detail: 'It has been changed since, and stays as it is.',
};
const NOT_CHANGED: NonNullable<ItemOutcome['reason']> = {
  code: 'not_changed',
  detail: 'The rollout has not changed it.',
};

/**
 * Restores the definition from before the rollout. Returns the restored resource, or the reason why it stays unchanged.
 * A pause or a new ping URL since the rollout does not prevent this.
 */
export function restoreResource<Types extends KindTypes>(
  { clock }: Pick<Needs, 'clock'>,
  kind: Kind<Types>,
  resource: Types['Resource'],
  undone: Pick<RolloutItem, 'state' | 'attempt'> | null,
): Types['Resource'] | NonNullable<ItemOutcome['reason']> {
  if (undone === null || undone.state !== 'changed' || undone.attempt === null) return NOT_CHANGED;
  const { before, version, afterHash } = undone.attempt;
  const fields = kind.readFields(resource);
  const restored = kind.restore(resource, readFields(kind, before));
  if (isSameJson(fields, kind.readFields(restored))) return resource;
  if (resource.version !== version && hashDefinition(fields) !== afterHash) return CHANGED_SINCE;
  const isSameGrid = restored.intervalSeconds === resource.intervalSeconds;
  return isSameGrid ? restored : { ...restored, anchorMs: clock.now() };
}

/** Reads the definition that an attempt has stored as JSON text. */
export function readFields<Types extends KindTypes>(
  _kind: Kind<Types>,
  before: string,
): ReturnType<Kind<Types>['readFields']> {
  return JSON.parse(before);
}

/** True if `restoreResource` returned a reason and not a resource. */
export function isReason(
  outcome: Resource | NonNullable<ItemOutcome['reason']>,
): outcome is NonNullable<ItemOutcome['reason']> {
  return 'code' in outcome;
}
