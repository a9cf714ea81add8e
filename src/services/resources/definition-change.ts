/** Changes definitions without storing them, for PUT, PATCH, apply and rollouts. */
import type { Fields } from '../../domain/definitions/layers';
import type { Dependencies } from '../ports/dependencies';
import { type BodyChange, composeLayered } from './compose-layered';
import type { Kind, KindNeeds, KindTypes } from './kind';
import { applyEnabled } from './pause';
import { withStoredAddresses, withStoredTargets } from './resolve-alerts';
import { restoreMaskedHeaders } from './restore-headers';
import { restoreSealedVariables } from './restore-variables';
import { presentInherited } from './service-fields';

/** Returns the effective definition in the form of a body. */
export function buildBodyView<Types extends KindTypes>(
  kind: Pick<Kind<Types>, 'present' | 'readOnlyFields' | 'buildView'>,
  resource: Types['Resource'],
): Fields {
  if (kind.buildView !== undefined) return kind.buildView(resource);
  const fields = Object.entries(kind.present(resource, null));
  return Object.fromEntries(fields.filter(([name]) => !kind.readOnlyFields.includes(name)));
}

/** Like `buildBodyView`, but with `inherited`: the values from the environment and the account. */
export function buildShownView<Types extends KindTypes>(
  kind: Pick<Kind<Types>, 'present' | 'readOnlyFields' | 'buildView'>,
  resource: Types['Resource'],
): Fields {
  return { ...buildBodyView(kind, resource), inherited: presentInherited(resource).inherited };
}

/**
 * Returns the kind with a cached `buildBodyView` per resource. Use it only for one request, because the view also shows
 * whether a pause is over.
 */
export function withSharedViews<Types extends KindTypes>(kind: Kind<Types>): Kind<Types> {
  const views = new WeakMap<Types['Resource'], Fields>();
  const buildView = (resource: Types['Resource']): Fields => {
    const view = views.get(resource) ?? buildBodyView(kind, resource);
    views.set(resource, view);
    return view;
  };
  return { ...kind, buildView: buildView };
}

/** Returns the resource with the changed body, without storing it. If nothing changes, returns the resource itself. */
export async function composeAgain<Types extends KindTypes>(
  needs: Pick<KindNeeds, 'sealers' | 'clock' | 'stores' | 'configuredRegions'>,
  kind: Kind<Types>,
  resource: Types['Resource'],
  given: { readonly sent: Fields; readonly change: BodyChange },
): Promise<Types['Resource']> {
  const owner = { accountId: resource.accountId, id: resource.id, stored: resource };
  const view = buildBodyView(kind, resource);
  const { fields } = await composeLayered(needs, kind, { ...given, owner, view });
  return createDefinitionChange(needs, kind, { fields, isEnabled: null })(resource);
}

/**
 * Builds a function that applies a new definition to a stored resource. Secrets and masked headers that the client does
 * not send stay. If the interval changes, a new time grid begins. `isEnabled` pauses or resumes the resource, and null
 * leaves a pause unchanged. The function returns `previous` if nothing changes.
 */
export function createDefinitionChange<Types extends KindTypes>(
  needs: Pick<Dependencies, 'sealers' | 'clock'>,
  kind: Kind<Types>,
  { fields, isEnabled }: { readonly fields: Types['Fields']; readonly isEnabled: boolean | null },
): (previous: Types['Resource']) => Types['Resource'] {
  const nowMs = needs.clock.now();
  return (previous) => {
    const kept = restoreSealedVariables(needs, previous, restoreMaskedHeaders(previous, fields));
    const isSameGrid = previous.intervalSeconds === fields.intervalSeconds;
    const changed = {
      ...kind.withFields(previous, kept),
      alertTargets: withStoredAddresses(fields, previous.alertTargets).alertTargets,
      anchorMs: isSameGrid ? previous.anchorMs : nowMs,
    };
    return withStoredTargets(previous, applyEnabled(changed, isEnabled, nowMs));
  };
}
