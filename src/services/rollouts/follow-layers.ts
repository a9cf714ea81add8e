/** Composes resources again if their profile, environment or inherited variables changed while a rollout saved them. */
import { isId } from '../../domain/definitions/ids';
import { AppError, isUnavailable } from '../../platform/errors';
import { mapAtMost } from '../../platform/map-at-most';
import { monitorKind } from '../monitors/kind';
import type { Kind, KindTypes } from '../resources/kind';
import { saveChange } from '../resources/save-resource';
import { scenarioKind } from '../scenarios/kind';
import { recompose } from './change-resource';
import { isComposedAnew } from './is-composed-anew';
import { type RolloutNeeds, shareCalls } from './rollout-needs';

const AT_ONCE_MAX = 10;

interface Saved {
  readonly accountId: string;
  readonly ids: readonly string[];
}

/**
 * Must be called after the resources were saved. A resource may have begun to use a layer just after a change of the
 * layer, so this reads the layers again. A definition that would become invalid stays as saved.
 */
export async function followLayers(needs: RolloutNeeds, { accountId, ids }: Saved): Promise<void> {
  const fresh = shareCalls(needs);
  const monitors = monitorKind(fresh);
  const scenarios = scenarioKind(fresh);
  await mapAtMost(AT_ONCE_MAX, ids, (id) =>
    isId('scenario', id)
      ? followOne(fresh, scenarios, { accountId, id })
      : followOne(fresh, monitors, { accountId, id }),
  );
}

async function followOne<Types extends KindTypes>(
  needs: RolloutNeeds,
  kind: Kind<Types>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<void> {
  const stored = await kind.store.find(accountId, id);
  if (stored === null || stored.state === 'deleting') return;
  if (await isComposedAnew(needs, kind, stored)) return;
  try {
    const next = await recompose(needs, kind, stored);
    await saveChange(needs, kind, {
      find: async () => (await kind.store.find(accountId, id)) ?? stored,
      change: (previous) => (previous.version === stored.version ? next : previous),
    });
  } catch (error) {
    if (!(error instanceof AppError) || isUnavailable(error)) throw error;
  }
}
