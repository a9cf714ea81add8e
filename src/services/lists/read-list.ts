/** Reads lists that are ordered by id. Reads one page by its cursor, or all pages. */
import type { ListQuery, Page } from '../../models/store/pages';
import { type CursorScope, decodeCursor, encodeCursor, ID_POSITION } from './cursor';

export interface ItemPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

interface ItemReading<Item> {
  /**
   * Returns the items after the given id, in the order of the list. Without an id, starts at the beginning of the list.
   */
  readonly read: (query: ListQuery) => Promise<Page<Item>>;
  readonly readId: (item: Item) => string;
}

/** Reads a page. Throws `invalid_cursor` for a cursor of another list or with other filters. */
export async function readItems<Item>(
  scope: CursorScope,
  { limit, cursor }: ListRequest,
  { read, readId }: ItemReading<Item>,
): Promise<ItemPage<Item>> {
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const { items, hasMore } = await read({ limit, beforeId });
  const last = items.at(-1);
  const nextCursor = hasMore && last !== undefined ? encodeCursor(scope, [readId(last)]) : null;
  return { items, nextCursor };
}

interface ListReading<Item, Shown> extends Pick<ItemReading<Item>, 'read'> {
  readonly present: (item: Item) => Shown;
}

/** Like readItems, but converts each item with `present`. */
export async function readList<Item extends { readonly id: string }, Shown>(
  scope: CursorScope,
  request: ListRequest,
  { read, present }: ListReading<Item, Shown>,
): Promise<ListPage<Shown>> {
  const { items, nextCursor } = await readItems(scope, request, { read, readId: ({ id }) => id });
  return { data: items.map(present), nextCursor };
}

export interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

export interface ListRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The pages of a list. A page is read only when the caller asks for it. */
export type Pages<Item> = AsyncIterable<readonly Item[]>;

/** Reads the first page immediately, so that errors are thrown before any part of the response is sent. */
export async function readPages<Item>(
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
): Promise<Pages<Item>> {
  return goOn(await read(undefined), read);
}

async function* goOn<Item>(
  first: ListPage<Item>,
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
): AsyncGenerator<readonly Item[]> {
  let { data, nextCursor } = first;
  yield data;
  while (nextCursor !== null) {
    ({ data, nextCursor } = await read(nextCursor));
    yield data;
  }
}
