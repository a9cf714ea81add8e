/** One page of a list that is ordered by id: where it begins by its cursor, and where the next one does. */
import type { ListQuery, Page } from '../../models/store/list-query';
import { type CursorScope, decodeCursor, encodeCursor, ID_POSITION } from './cursor';
import type { ListPage, ListRequest } from './list-page';

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

interface RowReading<Row> {
  /** Rows after the id, in the order of the list; null: from its beginning. */
  readonly read: (query: ListQuery) => Promise<Page<Row>>;
  readonly idOf: (row: Row) => string;
}

/** Throws `invalid_cursor` for one of another list or of other filters. */
export async function readRows<Row>(
  scope: CursorScope,
  { limit, cursor }: ListRequest,
  { read, idOf }: RowReading<Row>,
): Promise<RowPage<Row>> {
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const { rows, hasMore } = await read({ limit, beforeId });
  const last = rows.at(-1);
  const nextCursor = hasMore && last !== undefined ? encodeCursor(scope, [idOf(last)]) : null;
  return { rows, nextCursor };
}

interface ListReading<Row, Item> extends Pick<RowReading<Row>, 'read'> {
  readonly present: (row: Row) => Item;
}

/** As readRows, each row as it is shown. */
export async function readList<Row extends { readonly id: string }, Item>(
  scope: CursorScope,
  request: ListRequest,
  { read, present }: ListReading<Row, Item>,
): Promise<ListPage<Item>> {
  const { rows, nextCursor } = await readRows(scope, request, { read, idOf: ({ id }) => id });
  return { data: rows.map(present), nextCursor };
}
