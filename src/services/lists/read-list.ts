/** One page of a list that is ordered by id: where it begins by its cursor, and where the next one does. */
import type { ListQuery, Page } from '../../models/store/list-query';
import { type CursorScope, decodeCursor, encodeCursor, ID_POSITION } from './cursor';
import type { ListPage, ListRequest } from './list-page';

export interface ItemPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

interface ItemReading<Item> {
  /** Items after the id, in the order of the list; null: from its beginning. */
  readonly read: (query: ListQuery) => Promise<Page<Item>>;
  readonly idOf: (item: Item) => string;
}

/** Throws `invalid_cursor` for one of another list or of other filters. */
export async function readItems<Item>(
  scope: CursorScope,
  { limit, cursor }: ListRequest,
  { read, idOf }: ItemReading<Item>,
): Promise<ItemPage<Item>> {
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const { items, hasMore } = await read({ limit, beforeId });
  const last = items.at(-1);
  const nextCursor = hasMore && last !== undefined ? encodeCursor(scope, [idOf(last)]) : null;
  return { items, nextCursor };
}

interface ListReading<Item, Shown> extends Pick<ItemReading<Item>, 'read'> {
  readonly present: (item: Item) => Shown;
}

/** As readItems, each item as it is shown. */
export async function readList<Item extends { readonly id: string }, Shown>(
  scope: CursorScope,
  request: ListRequest,
  { read, present }: ListReading<Item, Shown>,
): Promise<ListPage<Shown>> {
  const { items, nextCursor } = await readItems(scope, request, { read, idOf: ({ id }) => id });
  return { data: items.map(present), nextCursor };
}
