/** Shares calls that have the same result for hundreds of objects, so that each call is made only once. */
import type { Resource, ResourceStore } from '../../models/resources/resource';
import { createBatcher } from '../../platform/create-batcher';

/** Maximum number of objects per read. The number is low, because one definition may have 256 KiB. */
const FOUND_TOGETHER_MAX = 50;

/** Returns a function that caches results. A call with the same arguments returns the first result. */
export function memoize<Arguments extends readonly unknown[], Result>(
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
 * Finds many resources of one account with few reads. Calls that arrive during a read wait for the next read, so that
 * no result is older than its call.
 */
export function batchFinds<Entity extends Resource>({
  list,
}: Pick<ResourceStore<Entity>, 'list'>): ResourceStore<Entity>['find'] {
  const find = createBatcher(
    async (asked: readonly { readonly accountId: string; readonly id: string }[]) => {
      // All requests of a batch are about the same account, so the first request names it.
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
