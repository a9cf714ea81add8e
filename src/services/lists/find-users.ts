/** Finds all monitors or scenarios that use a given object, such as hours or a profile. */
import type { Resource, ResourceFilter, ResourceStore } from '../../models/resources/resource';

const PAGE_SIZE = 200;

/** Finds the monitors or scenarios that use the object, newest first. Resources that are being deleted are left out. */
export async function findUsers<Entity extends Resource>(
  store: Pick<ResourceStore<Entity>, 'list'>,
  accountId: string,
  filter: Pick<ResourceFilter, 'hours' | 'profile'>,
): Promise<readonly Entity[]> {
  const found: Entity[] = [];
  for (let beforeId: string | null = null; ; beforeId = found.at(-1)?.id ?? null) {
    const { items, hasMore } = await store.list(accountId, { limit: PAGE_SIZE, beforeId, filter });
    found.push(...items);
    if (!hasMore) return found.filter(({ state }) => state !== 'deleting');
  }
}
