/**
 * Prepares the change of one resource of a rollout. If a process that crashed has already made the change, the change
 * is not made again.
 */

import { findShownChanges } from '../../domain/accounts/shown-changes';
import type { AuditEvent } from '../../models/accounts/audit';
import type {
  ItemAttempt,
  ItemOutcome,
  RolloutAttempt,
  RolloutItem,
} from '../../models/rollouts/rollout-items';
import type { Rollout } from '../../models/rollouts/rollouts';
import { AppError, isUnavailable } from '../../platform/errors';
import { OVERTAKEN } from '../lists/with-optimistic-retry';
import { buildShownView } from '../resources/definition-change';
import type { Kind, KindTypes } from '../resources/kind';
import { findLiveResource, sendStored, storeChange } from '../resources/save-resource';
import { isReason, readFields } from './change-resource';
import { hashDefinition } from './hash-definition';
import { buildNext } from './plan-rollout';
import { createEvent } from './rollout-events';
import type { RolloutNeeds } from './rollout-needs';

/** The end of an item. The audit event is stored before the outcome. */
interface ItemEnd {
  readonly outcome: ItemOutcome;
  readonly event?: AuditEvent;
  /**
   * The id of the saved resource. Absent if the resource inherits nothing from a profile, an environment or the
   * account.
   */
  readonly layeredId?: string;
}

/** An item that is ready to be saved. */
export interface Step {
  /** The attempt, which must be stored before `save` is called. Absent if `save` does not change a definition. */
  readonly attempt?: ItemAttempt;
  /**
   * Saves the resource. Returns undefined if another write has changed the resource in the meantime, and the item then
   * stays pending. Throws `unavailable`.
   */
  readonly save: () => Promise<ItemEnd | undefined>;
}

interface Work {
  readonly rollout: Rollout;
  readonly item: RolloutItem;
}

/** Prepares the item. Throws `unavailable`. Every other error becomes the outcome of the item. */
export async function prepareItem<Types extends KindTypes>(
  needs: RolloutNeeds,
  kind: Kind<Types>,
  work: Work,
): Promise<Step> {
  const { rollout, item } = work;
  try {
    const resource = await findLiveResource(kind, rollout.accountId, item.resourceId);
    const next = await buildNext(needs, kind, { resource, change: rollout.change });
    if (isReason(next)) return ended({ id: item.id, state: 'skipped', reason: next });
    if (next !== resource) return prepareSave(needs, kind, { ...work, resource, next });
    return prepareSame(needs, kind, { ...work, resource });
  } catch (error) {
    return ended(readFailure(needs, work, error));
  }
}

function ended(outcome: ItemOutcome): Step {
  return { save: async () => ({ outcome }) };
}

/**
 * Converts an error to an outcome. Rethrows `unavailable`. Even a bug in our own code becomes an outcome, because it
 * must not block the other rollouts of the account.
 */
function readFailure(
  { notifyOperator }: Pick<RolloutNeeds, 'notifyOperator'>,
  { rollout, item }: Work,
  error: unknown,
): ItemOutcome {
  if (isUnavailable(error)) throw error;
  const { id } = item;
  if (error instanceof AppError) {
    const state = error.code === 'not_found' ? 'skipped' : 'failed';
    return { id, state, reason: { code: error.code, detail: error.message } };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const facts = { rolloutId: rollout.id, resourceId: item.resourceId, reason };
  notifyOperator(facts, 'a rollout could not change a resource');
  const detail = 'An unexpected error. The log of the orchestrator has the details.';
  return { id, state: 'failed', reason: { code: 'internal', detail } };
}

/**
 * Prepares an item whose resource stays unchanged, because the change has no effect or an earlier attempt has made it.
 */
function prepareSame<Types extends KindTypes>(
  needs: RolloutNeeds,
  kind: Kind<Types>,
  { rollout, item, resource }: Work & { readonly resource: Types['Resource'] },
): Step {
  const { id, attempt } = item;
  if (attempt === null || resource.version < attempt.version)
    return ended({ id, state: 'unchanged', reason: null });
  const previous = kind.restore(resource, readFields(kind, attempt.before));
  return {
    save: async () => {
      await sendStored(needs, kind, { resource });
      return changed(kind, rollout, { item, attempt, previous, next: resource });
    },
  };
}

interface Saving<Entity> extends Work {
  readonly resource: Entity;
  readonly next: Entity;
}

function prepareSave<Types extends KindTypes>(
  needs: RolloutNeeds,
  kind: Kind<Types>,
  { rollout, item, resource, next }: Saving<Types['Resource']>,
): Step {
  const attempt: RolloutAttempt = {
    version: resource.version + 1,
    before: JSON.stringify(kind.readFields(resource)),
    afterHash: hashDefinition(kind.readFields(next)),
    atMs: needs.clock.now(),
  };
  const changes = findShownChanges(buildShownView(kind, resource), buildShownView(kind, next));
  return {
    attempt: { id: item.id, name: resource.name, changes, attempt },
    save: async () => {
      try {
        const stored = await storeChange(needs, kind, { previous: resource, changed: next });
        if (stored === OVERTAKEN) return undefined;
        await sendStored(needs, kind, { resource: stored, previous: resource });
      } catch (error) {
        return { outcome: readFailure(needs, { rollout, item }, error) };
      }
      return changed(kind, rollout, { item, attempt, previous: resource, next });
    },
  };
}

interface Changed<Entity> {
  readonly item: RolloutItem;
  readonly attempt: RolloutAttempt;
  readonly previous: Entity;
  readonly next: Entity;
}

function changed<Types extends KindTypes>(
  kind: Kind<Types>,
  rollout: Rollout,
  { item, attempt, previous, next }: Changed<Types['Resource']>,
): ItemEnd {
  const event = createEvent(rollout, {
    action: `${kind.idKind}.update`,
    resourceType: kind.idKind,
    resourceId: item.resourceId,
    atMs: attempt.atMs,
    mark: `${attempt.version}`,
    before: buildShownView(kind, previous),
    after: buildShownView(kind, next),
  });
  const { profile, environment, inherited } = next;
  const isLayered = [profile, environment, inherited].some((layer) => layer !== undefined);
  const outcome = { id: item.id, state: 'changed', reason: null } as const;
  return { outcome, event, ...(isLayered && { layeredId: item.resourceId }) };
}
