/** Calls with the same result for hundreds of objects, made once for all of them. */
import type { Resource, ResourceStore } from '../../models/resources/resource';
import { gathered } from '../../platform/gathered';
import type { Dependencies } from '../ports/dependencies';

/** After a ping, Temporal counts as reachable for this time. */
const PING_HOLDS_MS = 1_000;
/** Kept low because a definition may have 256 KiB. */
const FOUND_TOGETHER_MAX = 50;

/** Each call with the same arguments returns the first result. */
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

/** Calls made during a read share the next read, so that no result is older than its call. */
export function shared<Result>(
  read: (accountId: string) => Promise<Result>,
): (accountId: string) => Promise<Result> {
  return gathered(
    async (accountIds: readonly string[]) => {
      // Each request is about one account.
      const [accountId = ''] = accountIds;
      const result = await read(accountId);
      return accountIds.map(() => result);
    },
    { itemsMax: Number.POSITIVE_INFINITY },
  );
}

/**
 * Finds many resources of one account with few reads. Calls made during a read share the next read, so that no result
 * is older than its call.
 */
export function foundTogether<Entity extends Resource>({
  list,
}: Pick<ResourceStore<Entity>, 'list'>): ResourceStore<Entity>['find'] {
  const find = gathered(
    async (asked: readonly { readonly accountId: string; readonly id: string }[]) => {
      // Each request is about one account.
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

/** Pings at most once a second. */
export function pingOnce({
  gateway,
  clock,
}: Pick<Dependencies, 'gateway' | 'clock'>): Dependencies['gateway']['ping'] {
  let asked: { readonly atMs: number; readonly connected: Promise<void> } | undefined;
  return (deadlineMs) => {
    const nowMs = clock.now();
    if (asked === undefined || nowMs - asked.atMs > PING_HOLDS_MS)
      asked = { atMs: nowMs, connected: gateway.ping(deadlineMs) };
    return asked.connected;
  };
}
