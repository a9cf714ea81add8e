/**
 * Shows the expected result of a change in all cached data until the service responds. Can restore the previous data.
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import { isUnder } from './live-change';

export type Shown = Readonly<Record<string, unknown>>;

/** Returns the new fields of one shown object. null means that the change does not affect the object. */
export type Expected = (shown: Shown) => Shown | null;

export interface Showing {
  /** Stops showing the expected result. */
  readonly end: () => void;
  /** Stops showing the expected result and restores the changed fields to their values as last read. */
  readonly restore: () => void;
}

/**
 * Applies the change to every object cached under `touches`, alone or in a list. Data that is read before the service
 * responds may be older than the change, so this data is changed, too. Fields that an object does not have are not
 * added.
 */
export async function showExpected(
  client: QueryClient,
  touches: readonly string[],
  expected: Expected,
): Promise<Showing> {
  const cache = client.getQueryCache();
  const isTouched = ({ queryKey, state }: Query): boolean =>
    state.data !== undefined && isUnder(queryKey, touches);
  await client.cancelQueries({ predicate: isTouched });
  const before = new Map<string, Shown>();
  const show = (query: Query): void =>
    rewrite(client, query, (shown, key) => {
      const given = expected(shown);
      if (given === null) return null;
      const names = Object.keys(given).filter((name) => name in shown);
      const [previous, fields] = [pick(shown, names), pick(given, names)];
      if (JSON.stringify(previous) === JSON.stringify(fields)) return null;
      before.set(key, previous);
      return fields;
    });
  cache.findAll({ predicate: isTouched }).forEach(show);
  const end = cache.subscribe(({ type, query }) => {
    if (type === 'updated' && !isRewriting && isTouched(query)) show(query);
  });
  return {
    end,
    restore: () => {
      end();
      for (const query of cache.findAll({ predicate: isTouched }))
        rewrite(client, query, (_shown, key) => before.get(key) ?? null);
    },
  };
}

export function isShown(given: unknown): given is Shown {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** Prevents two changes of the same object from overwriting each other endlessly. The later change is shown. */
let isRewriting = false;

/** Sets new fields of the shown objects. `key` identifies one object in one query. */
function rewrite(
  client: QueryClient,
  { queryKey, queryHash, state }: Query,
  chooseFields: (shown: Shown, key: string) => Shown | null,
): void {
  let isChanged = false;
  const data = mapShown(state.data, (shown) => {
    const fields = chooseFields(shown, `${queryHash} ${String(shown['id'])}`);
    if (fields === null) return shown;
    isChanged = true;
    return { ...shown, ...fields };
  });
  if (!isChanged) return;
  isRewriting = true;
  client.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt });
  isRewriting = false;
}

function pick(shown: Shown, names: readonly string[]): Shown {
  return Object.fromEntries(names.map((name) => [name, shown[name]]));
}

/** Changes the shown objects in `data`, which is one object, a list, or a page of a list. */
function mapShown(data: unknown, change: (shown: Shown) => Shown): unknown {
  if (Array.isArray(data)) return data.map((one: unknown) => mapShown(one, change));
  if (!isShown(data)) return data;
  const { data: list } = data;
  return Array.isArray(list) ? { ...data, data: mapShown(list, change) } : change(data);
}
