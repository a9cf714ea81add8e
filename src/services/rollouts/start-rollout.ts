/** Stores a rollout, and wakes the workflow that carries out the rollouts of its account. */
import type { JsonObject, RolloutCause, RolloutChange } from '../../contracts/operations/rollouts';
import type { AuditActor } from '../../models/accounts/audit';
import type { RolloutItem } from '../../models/rollouts/rollout-items';
import type { Rollout } from '../../models/rollouts/rollouts';
import type { Dependencies } from '../ports/dependencies';
import type { RolloutPlan } from './plan-rollout';

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'newId'>;

export interface RolloutRequest {
  readonly accountId: string;
  readonly actor: AuditActor;
  readonly cause: RolloutCause;
  readonly change: RolloutChange;
  /** The ids of the resources. A repeated id counts once. */
  readonly ids: readonly string[];
  /** Data for the undo. Set for all causes except an edit. Must not contain secret values. */
  readonly undo?: JsonObject;
  /** The plan, which is shown until the resources are changed. */
  readonly plan?: RolloutPlan;
  /** The id. If absent, a new id is created. A stored rollout with this id stays unchanged. */
  readonly id?: string;
}

/**
 * Number of items that one write stores. Even with long changes, this many items fit into the size limit of a write.
 */
const LOT = 100;
const TEMPORAL_PING_WITHIN_MS = 2_000;

/**
 * Starts a rollout. Only one rollout per account runs at a time, and the others wait. Items are stored before the
 * rollout, so that a stored rollout is always complete. Throws `unavailable` if nothing is stored. If the workflow
 * cannot be woken now, housekeeping wakes it within a minute.
 */
export async function startRollout(needs: Needs, request: RolloutRequest): Promise<Rollout> {
  const { stores, gateway, clock, newId } = needs;
  const { accountId, actor, cause, change, undo = null, id = newId('rollout') } = request;
  await gateway.ping(TEMPORAL_PING_WITHIN_MS);
  const createdAtMs = clock.now();
  const rollout: Rollout = {
    id,
    accountId,
    state: 'waiting',
    cause,
    change,
    actor,
    undo,
    createdAtMs,
    startedAtMs: null,
    endedAtMs: null,
    undoUntilMs: null,
    counts: null,
    undoneBy: null,
  };
  const items = newItems(rollout, request.ids, request.plan);
  for (let at = 0; at < items.length; at += LOT)
    await stores.rolloutItems.createAll(accountId, items.slice(at, at + LOT));
  await stores.rollouts.createOnce(accountId, rollout);
  await gateway.wakeRollouts(accountId).catch(() => undefined);
  return rollout;
}

/** Creates one pending item for each id. Repeated ids count once. */
export function newItems(
  { id: rolloutId, accountId, createdAtMs }: Pick<Rollout, 'id' | 'accountId' | 'createdAtMs'>,
  ids: readonly string[],
  plan?: RolloutPlan,
): readonly RolloutItem[] {
  const planned = new Map(plan?.items.map((item) => [item.id, item]));
  return [...new Set(ids)].map((resourceId) => ({
    id: `${rolloutId}:${resourceId}`,
    accountId,
    rolloutId,
    resourceId,
    name: planned.get(resourceId)?.name ?? '',
    state: 'pending',
    changes: planned.get(resourceId)?.changes ?? [],
    reason: null,
    attempt: null,
    createdAtMs,
  }));
}
