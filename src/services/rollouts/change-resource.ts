/**
 * What a rollout makes of one resource. Builds the changed resource without storing it; the rules are those of PATCH
 * and PUT.
 */
import type { RolloutChange } from '../../contracts/operations/rollouts';
import type { Resource } from '../../models/resources/resource';
import type { ItemOutcome, RolloutItem } from '../../models/rollouts/rollout-items';
import { canonicalJson } from '../../platform/canonical-json';
import { readRecord } from '../../schemas/loose';
import { withoutFields } from '../../schemas/read-only';
import { patchBody } from '../lists/patch-body';
import { readChange } from '../lists/read-change';
import type { Kind, KindNeeds, KindTypes } from '../resources/kind';
import { definitionChange } from '../resources/resource-verbs';
import { hashDefinition } from './hash-definition';

type Needs = Pick<KindNeeds, 'sealers' | 'clock'>;
type EditChange = Extract<RolloutChange, { readonly type: 'edit' }>;

/** The definition in the form of a request body. */
export function ownBody<Types extends KindTypes>(
  kind: Kind<Types>,
  resource: Types['Resource'],
): Readonly<Record<string, unknown>> {
  return readRecord(withoutFields(kind.present(resource, null), kind.readOnlyFields));
}

/** Returns the resource itself if nothing changes. Throws like a PATCH. */
export async function editResource<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  resource: Types['Resource'],
  { set, unset }: Omit<EditChange, 'type'>,
): Promise<Types['Resource']> {
  const patch = { ...set, ...Object.fromEntries(unset.map((name) => [name, null])) };
  const body = patchBody(kind.shape, { stored: ownBody(kind, resource), patch });
  return composeAgain(needs, kind, resource, body);
}

/** Composes the definition again from what is stored now. Returns the resource itself if nothing changes. */
export async function recompose<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  resource: Types['Resource'],
): Promise<Types['Resource']> {
  const own = ownBody(kind, resource);
  return composeAgain(needs, kind, resource, readChange(kind.shape, { sent: own, stored: own }));
}

async function composeAgain<Types extends KindTypes>(
  needs: Needs,
  kind: Kind<Types>,
  resource: Types['Resource'],
  body: Types['Body'],
): Promise<Types['Resource']> {
  const { accountId, id } = resource;
  const fields = await kind.compose({ accountId, id, stored: resource }, body);
  return definitionChange(needs, kind, { fields, isEnabled: null })(resource);
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
 * The resource with the definition before the item's change, or the reason why it stays as it is. A pause or a new ping
 * URL is not a change of the definition.
 */
export function restoreResource<Types extends KindTypes>(
  { clock }: Pick<Needs, 'clock'>,
  kind: Kind<Types>,
  resource: Types['Resource'],
  undone: Pick<RolloutItem, 'state' | 'attempt'> | null,
): Types['Resource'] | NonNullable<ItemOutcome['reason']> {
  if (undone === null || undone.state !== 'changed' || undone.attempt === null) return NOT_CHANGED;
  const { before, version, afterHash } = undone.attempt;
  const fields = kind.fieldsOf(resource);
  const restored = kind.restore(resource, readFields(kind, before));
  if (canonicalJson(fields) === canonicalJson(kind.fieldsOf(restored))) return resource;
  if (resource.version !== version && hashDefinition(fields) !== afterHash) return CHANGED_SINCE;
  const isSameGrid = restored.intervalSeconds === resource.intervalSeconds;
  return isSameGrid ? restored : { ...restored, anchorMs: clock.now() };
}

/** The definition that an attempt has stored as JSON text. */
export function readFields<Types extends KindTypes>(
  _kind: Kind<Types>,
  before: string,
): ReturnType<Kind<Types>['fieldsOf']> {
  return JSON.parse(before);
}

/** True for the outcome of `restoreResource` that is a reason. */
export function isReason(
  outcome: Resource | NonNullable<ItemOutcome['reason']>,
): outcome is NonNullable<ItemOutcome['reason']> {
  return 'code' in outcome;
}
