/**
 * The order in which a monitor or scenario is written and Temporal is told, so that a refusal
 * leaves nothing half-written: Temporal is asked first whether it is there, then the database is
 * written, then Temporal is told; what fails last takes back what was written before.
 */
import { isId } from '../../domain/definitions/ids';
import type { Resource } from '../../models/resources/resource';
import type { ResourceStatus } from '../../models/results/statuses';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import { requireInterval, requireWithinPlan, withinLimit } from '../accounts/plan-limits';
import { orUndo } from '../lists/or-undo';
import { type Insist, tryOnce } from '../lists/patience';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';
import type { ResourcePort } from './resource-port';

type Needs = Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'sleep' | 'randomBytes'>;

const TEMPORAL_PING_WITHIN_MS = 2000;

/** The resource, or `not_found`, whether the id is malformed, unknown or of another account. */
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

/** As findResource; what is being deleted is gone for every change. */
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
 * Stores a new resource and starts its workflow. The resource comes last of the three documents, so that
 * none is visible without its status and revision. Throws `key_taken`, `limit_reached` or
 * `unavailable`. What it throws for has been taken back, and its id is used up: whatever comes
 * under it later is removed, too. Tries belong in `insist`, therefore, and not around this.
 */
export async function saveNew<Entity extends Resource>(
  needs: Needs,
  port: ResourcePort<Entity>,
  resource: Entity,
  insist: Insist = tryOnce,
): Promise<void> {
  const { stores, gateway } = needs;
  const { accountId } = resource;
  const kind = `${port.idKind}s` as const;
  const { intervalSeconds } = resource;
  const counted = await insist(async () => {
    const free = await requireWithinPlan(needs, { accountId, kind, intervalSeconds });
    await gateway.ping(TEMPORAL_PING_WITHIN_MS);
    return free;
  });
  const writeAll = async (): Promise<void> => {
    await Promise.all([
      stores.statuses.create(accountId, firstStatus(resource)),
      stores.revisions.save(accountId, port.definitionOf(resource)),
    ]);
    await unlessWritten(port, resource, () =>
      withinLimit(needs, { accountId, kind, counted }, () =>
        port.store.create(accountId, resource),
      ),
    );
    await port.start(resource);
  };
  // A workflow that was started after all finds no status when it settles, and ends by itself.
  await orUndo(
    needs,
    () => insist(writeAll),
    () => takeBack(needs, port, resource),
  );
}

/** A write whose answer got lost has taken effect, and is refused as a second one when it is repeated. */
async function unlessWritten<Entity extends Resource>(
  { store }: Pick<ResourcePort<Entity>, 'store'>,
  { accountId, id }: Resource,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (reason) {
    if ((await store.find(accountId, id)) === null) throw reason;
  }
}

/** Removes what a creation has written, unless somebody has changed it since: then it is theirs. */
async function takeBack<Entity extends Resource>(
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

/** The status of something that was never checked. */
export function firstStatus({ id, accountId, createdAtMs }: Resource): ResourceStatus {
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

/** What a change makes of the resource; the resource itself when nothing changes. */
export type Change<Entity> = (resource: Entity) => Entity;

/**
 * Applies a change to the stored resource and hands it to the workflow; answers with the resource in force.
 * A writer in between makes it start over, unless `accept` refuses the newer version. A change that
 * changes nothing keeps the version.
 */
export async function saveChange<Entity extends Resource>(
  needs: Needs,
  port: ResourcePort<Entity>,
  { find, change }: { readonly find: () => Promise<Entity>; readonly change: Change<Entity> },
): Promise<Entity> {
  return withOptimisticRetry(needs, async () => {
    const previous = await find();
    const changed = change(previous);
    if (isSame(previous, changed)) return previous;
    if (changed.intervalSeconds !== previous.intervalSeconds)
      await requireInterval(needs, changed.accountId, changed.intervalSeconds);
    await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
    const next = withNextVersion(port, { previous, changed, nowMs: needs.clock.now() });
    const isWritten = await port.store.replace(next.accountId, next, previous.version);
    if (!isWritten) return OVERTAKEN;
    await announce(needs, port, { previous, next });
    return next;
  });
}

/** Stops the workflow and deletes everything of the resource; the resource says so meanwhile. */
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
  await orUndo(
    needs,
    () => port.stop(id),
    () => port.store.replace(accountId, previous, deleting.version),
  );
  await port.store.remove(accountId, id);
}

/** The revision is numbered by the version that brought it, so that no number is used twice. */
function withNextVersion<Entity extends Resource>(
  port: ResourcePort<Entity>,
  {
    previous,
    changed,
    nowMs,
  }: { readonly previous: Entity; readonly changed: Entity; readonly nowMs: number },
): Entity {
  const version = previous.version + 1;
  const isSameDefinition =
    canonicalJson(port.definitionOf(previous)) === canonicalJson(port.definitionOf(changed));
  const revision = isSameDefinition ? previous.revision : version;
  return { ...changed, version, revision, updatedAtMs: nowMs };
}

async function announce<Entity extends Resource>(
  needs: Needs,
  port: ResourcePort<Entity>,
  { previous, next }: { readonly previous: Entity; readonly next: Entity },
): Promise<void> {
  const publish = async (): Promise<void> => {
    if (next.revision !== previous.revision)
      await needs.stores.revisions.save(next.accountId, port.definitionOf(next));
    await port.change(next);
  };
  // Temporal may have heard of `next` after all: what is restored must be newer than it.
  // The reconcile pass tells it to the workflow, and goes by the time of the change.
  const restored = { ...previous, version: next.version + 1, updatedAtMs: next.updatedAtMs };
  await orUndo(needs, publish, () => port.store.replace(next.accountId, restored, next.version));
}

function isSame<Entity extends Resource>(previous: Entity, changed: Entity): boolean {
  return previous === changed || canonicalJson(previous) === canonicalJson(changed);
}
