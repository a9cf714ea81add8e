/**
 * Writes monitors and scenarios. First pings Temporal, then writes to the database, and finally notifies Temporal. If
 * the notification fails, undoes the writes.
 */
import { isId } from '../../domain/definitions/ids';
import type { Resource } from '../../models/resources/resource';
import type { ResourceStatus } from '../../models/results/statuses';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import { requireInterval, requireWithinPlan, writeWithinLimit } from '../accounts/plan-limits';
import { refuseProblems } from '../lists/field-problems';
import { type Retry, tryOnce } from '../lists/retry-while-busy';
import { compensate, runOrCompensate } from '../lists/run-or-compensate';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';
import { unknownProfile } from '../profiles/find-profile';
import { requireCurrentLayers } from './layer-users';
import type { ResourcePort } from './resource-port';

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'sleep' | 'randomBytes'>;

const TEMPORAL_PING_WITHIN_MS = 2000;

/** Returns the resource. Throws the same `not_found` if the id is unknown, malformed or of another account. */
export async function findResource<Entity extends Resource>(
  port: ResourcePort<Entity>,
  accountId: string,
  id: string,
): Promise<Entity> {
  const resource = isId(port.idKind, id) ? await port.store.find(accountId, id) : null;
  if (resource === null)
    throw new AppError('not_found', `There is no ${port.idKind} with this id.`);
  return resource;
}

/** Like findResource, but also throws `not_found` for a resource that is being deleted. Use it before changes. */
export async function findLiveResource<Entity extends Resource>(
  port: ResourcePort<Entity>,
  accountId: string,
  id: string,
): Promise<Entity> {
  const resource = await findResource(port, accountId, id);
  if (resource.state === 'deleting')
    throw new AppError('not_found', `This ${port.idKind} is being deleted.`);
  return resource;
}

/**
 * Stores a new resource and starts its workflow. The resource is written after its status and its revision, so that it
 * is never visible without them. Throws `key_taken`, `limit_reached` or `unavailable`, and undoes all writes. After an
 * error, the id must not be used again, because the undo also removes late writes with this id. To retry, pass `retry`.
 */
export async function saveNew<Entity extends Resource>(
  needs: Needs,
  port: ResourcePort<Entity>,
  resource: Entity,
  retry: Retry = tryOnce,
): Promise<void> {
  const { stores, gateway } = needs;
  const { accountId, id, intervalSeconds } = resource;
  const kind = `${port.idKind}s` as const;
  const counted = await retry(async () => {
    const free = await requireWithinPlan(needs, { accountId, kind, intervalSeconds });
    await gateway.ping(TEMPORAL_PING_WITHIN_MS);
    return free;
  });
  const writeAll = async (): Promise<void> => {
    await Promise.all([
      stores.statuses.create(accountId, createFirstStatus(resource)),
      stores.revisions.save(accountId, port.readDefinition(resource)),
    ]);
    try {
      await writeWithinLimit(needs, { accountId, kind, counted }, () =>
        port.store.create(accountId, resource),
      );
    } catch (reason) {
      // If the resource exists, an earlier attempt has stored it, but its response was lost.
      if ((await port.store.find(accountId, id)) === null) throw reason;
    }
    await requireProfile(needs, resource);
    await requireCurrentLayers(needs, port, { previous: null, next: resource });
    await port.start(resource);
  };
  try {
    await retry(writeAll);
  } catch (reason) {
    // The workflow may have been started despite the error. If so, it finds no status and ends.
    await compensate(needs, () => removeCreated(needs, port, resource));
    throw reason;
  }
}

/** Throws if the profile has just been deleted. The deletion did not see this resource and was not refused. */
async function requireProfile(
  { stores }: Pick<Needs, 'stores'>,
  { accountId, profile }: Resource,
): Promise<void> {
  if (profile === undefined) return;
  if ((await stores.profiles.findVersion(accountId, profile)) === null)
    refuseProblems([unknownProfile(profile)]);
}

/** Removes a resource that was just created. Keeps it if someone has changed it since. */
async function removeCreated<Entity extends Resource>(
  needs: Needs,
  { store }: ResourcePort<Entity>,
  { accountId, id, version }: Entity,
): Promise<void> {
  const isOurs = await withOptimisticRetry(needs, async () => {
    const left = await store.find(accountId, id);
    if (left === null || left.state === 'deleting') return true;
    if (left.version !== version) return false;
    const deleting: Entity = { ...left, state: 'deleting', version: version + 1 };
    return (await store.replace(accountId, deleting, version)) || OVERTAKEN;
  });
  if (isOurs) await store.remove(accountId, id);
}

/** Returns the status of a resource that was never checked. */
export function createFirstStatus({ id, accountId, createdAtMs }: Resource): ResourceStatus {
  return {
    id,
    accountId,
    health: 'pending',
    healthSinceMs: createdAtMs,
    regionsHealth: [],
    lastSlotMs: null,
    nextSlotMs: null,
    lastCheckedAtMs: null,
    tlsExpiresAt: null,
    lastRunId: null,
  };
}

/** Returns the changed resource. Returns the same object if nothing changes. */
export type Change<Entity> = (resource: Entity) => Entity;

/**
 * Applies a change to the stored resource and sends it to the workflow. Returns the stored resource. If another write
 * changes the resource at the same time, reads the newer version with `find` and applies the change again. If `find`
 * throws, rejects with the same error. A change without effect keeps the version.
 */
export async function saveChange<Entity extends Resource>(
  needs: Needs,
  port: ResourcePort<Entity>,
  { find, change }: { readonly find: () => Promise<Entity>; readonly change: Change<Entity> },
): Promise<Entity> {
  return withOptimisticRetry(needs, async () => {
    const previous = await find();
    const changed = change(previous);
    if (isSameJson(previous, changed)) return previous;
    const next = await storeChange(needs, port, { previous, changed });
    if (next === OVERTAKEN) return OVERTAKEN;
    await announce(needs, port, { previous, next });
    return next;
  });
}

/**
 * Stores a change without sending it to the workflow. The caller must send the change, and retry until this succeeds.
 * Returns OVERTAKEN if another write came first.
 */
export async function storeChange<Entity extends Resource>(
  needs: Needs,
  port: ResourcePort<Entity>,
  { previous, changed }: { readonly previous: Entity; readonly changed: Entity },
): Promise<Entity | typeof OVERTAKEN> {
  if (changed.intervalSeconds !== previous.intervalSeconds)
    await requireInterval(needs, changed.accountId, changed.intervalSeconds);
  await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
  const next = withNextVersion(port, { previous, changed, nowMs: needs.clock.now() });
  const isWritten = await port.store.replace(next.accountId, next, previous.version);
  return isWritten ? next : OVERTAKEN;
}

/** Stops the workflow and deletes all data of the resource. Until then, the resource has the state `deleting`. */
export async function removeResource<Entity extends Resource>(
  needs: Needs,
  port: ResourcePort<Entity>,
  find: () => Promise<Entity>,
): Promise<void> {
  const { previous, deleting } = await withOptimisticRetry(needs, async () => {
    const previous = await find();
    await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
    const deleting: Entity = {
      ...previous,
      state: 'deleting',
      version: previous.version + 1,
      updatedAtMs: needs.clock.now(),
    };
    const isWritten = await port.store.replace(previous.accountId, deleting, previous.version);
    return isWritten ? { previous, deleting } : OVERTAKEN;
  });
  const { accountId, id } = previous;
  await runOrCompensate(
    needs,
    () => port.stop(id),
    () => port.store.replace(accountId, previous, deleting.version),
  );
  await port.store.remove(accountId, id);
}

/**
 * Sets the next version. A new revision gets the same number as the version, so that no revision number is used twice.
 */
function withNextVersion<Entity extends Resource>(
  port: ResourcePort<Entity>,
  {
    previous,
    changed,
    nowMs,
  }: { readonly previous: Entity; readonly changed: Entity; readonly nowMs: number },
): Entity {
  const version = previous.version + 1;
  const isSameDefinition = isSameJson(port.readDefinition(previous), port.readDefinition(changed));
  const revision = isSameDefinition ? previous.revision : version;
  return { ...changed, version, revision, updatedAtMs: nowMs };
}

/**
 * Sends the stored resource to its workflow. Safe to repeat. `previous` is the resource before the change, if known.
 */
export async function sendStored<Entity extends Resource>(
  { stores }: Pick<Needs, 'stores'>,
  port: ResourcePort<Entity>,
  { resource, previous }: { readonly resource: Entity; readonly previous?: Entity },
): Promise<void> {
  if (resource.revision !== previous?.revision)
    await stores.revisions.save(resource.accountId, port.readDefinition(resource));
  await port.send(resource);
}

async function announce<Entity extends Resource>(
  needs: Needs,
  port: ResourcePort<Entity>,
  { previous, next }: { readonly previous: Entity; readonly next: Entity },
): Promise<void> {
  const publish = async (): Promise<void> => {
    if (next.profile !== previous.profile) await requireProfile(needs, next);
    await requireCurrentLayers(needs, port, { previous, next });
    if (next.revision !== previous.revision)
      await needs.stores.revisions.save(next.accountId, port.readDefinition(next));
    await port.change(next);
  };
  // Temporal may have received `next`, so the restored resource needs a newer version. Housekeeping sends it to the
  // workflow.
  const restored = { ...previous, version: next.version + 1, updatedAtMs: next.updatedAtMs };
  await runOrCompensate(needs, publish, () =>
    port.store.replace(next.accountId, restored, next.version),
  );
}
