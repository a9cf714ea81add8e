/** Makes a call only once if it has the same result for hundreds of objects. */
import type { Resource, ResourceStore } from '../../models/resources/resource';
import { gathered } from '../../platform/gathered';

/** How many objects are read at once. The number is low, because a definition may have 256 KiB. */
const FOUND_TOGETHER_MAX = 50;

/** Returns a function that remembers results. A call with the same arguments returns the first result. */
export function remembered<Arguments extends readonly unknown[], Result>(
  ask: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  const results = new Map<string, Promise<Result>>();
  return (...given) => {
    const key = JSON.stringify(given);
    const result = results.get(key) ?? ask(...given);
    results.set(key, result);
    return result;
  };
}

/**
 * Finds many resources of one account with few reads. Calls during a read share the next read, so that no result is
 * older than its call.
 */
export function foundTogether<Entity extends Resource>({
  list,
}: Pick<ResourceStore<Entity>, 'list'>): ResourceStore<Entity>['find'] {
  const find = gathered(
    async (asked: readonly { readonly accountId: string; readonly id: string }[]) => {
      // The first entry names the account, because each request is about one account.
      const [{ accountId } = { accountId: '' }] = asked;
      const ids = [...new Set(asked.map(({ id }) => id))];
      const { items } = await list(accountId, { ids, limit: ids.length, beforeId: null });
      const found = new Map(items.map((entity) => [entity.id, entity]));
      return asked.map(({ id }) => ({ entity: found.get(id) ?? null }));
    },
    { itemsMax: FOUND_TOGETHER_MAX },
  );
  return async (accountId, id) => (await find({ accountId, id })).entity;
}
