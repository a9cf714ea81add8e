/**
 * Shows what a change will make of things until the service has responded, wherever they are cached, and
 * takes that back. It sends nothing.
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import { isUnder } from './live-change';

export type Shown = Readonly<Record<string, unknown>>;

/** The new fields of one thing that is shown; null for what the change leaves alone. Pure. */
export type Expected = (shown: Shown) => Shown | null;

export interface Showing {
  /** What is read from now on counts. */
  readonly end: () => void;
  /** The same, and restores the fields that it changed, as they were last read. */
  readonly takeBack: () => void;
}

/**
 * Applies it to everything cached under `touches`, alone or in a list, also to what is read meanwhile: that
 * may be older than the change. Fields that a shape lacks are not added.
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
    rewrite(client, query, (shown, place) => {
      const given = expected(shown);
      if (given === null) return null;
      const names = Object.keys(given).filter((name) => name in shown);
      const [held, fields] = [pick(shown, names), pick(given, names)];
      if (JSON.stringify(held) === JSON.stringify(fields)) return null;
      before.set(place, held);
      return fields;
    });
  cache.findAll({ predicate: isTouched }).forEach(show);
  const end = cache.subscribe(({ type, query }) => {
    if (type === 'updated' && !isRewriting && isTouched(query)) show(query);
  });
  return {
    end,
    takeBack: () => {
      end();
      for (const query of cache.findAll({ predicate: isTouched }))
        rewrite(client, query, (_shown, place) => before.get(place) ?? null);
    },
  };
}

export function isShown(given: unknown): given is Shown {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** So that two changes of the same thing do not overwrite each other in turns: the later one is shown. */
let isRewriting = false;

/** Gives things their new fields; `place` names one thing in one query. */
function rewrite(
  client: QueryClient,
  { queryKey, queryHash, state }: Query,
  fieldsOf: (shown: Shown, place: string) => Shown | null,
): void {
  let isChanged = false;
  const data = mapShown(state.data, (shown) => {
    const fields = fieldsOf(shown, `${queryHash} ${String(shown['id'])}`);
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

/** One thing, a list of them, or a page of a list. */
function mapShown(data: unknown, change: (shown: Shown) => Shown): unknown {
  if (Array.isArray(data)) return data.map((one: unknown) => mapShown(one, change));
  if (!isShown(data)) return data;
  const { data: list } = data;
  return Array.isArray(list) ? { ...data, data: mapShown(list, change) } : change(data);
}
