/** Pages of lists: their queries, reading them, and cutting them from items read one past the limit. */
import type { Model, QueryFilter } from 'mongoose';
import { below } from './filters';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/** A page of a newest-first list that continues after `beforeId`; ids sort by creation. */
export interface ListQuery {
  readonly limit: number;
  readonly beforeId: string | null;
}

/** Items of a list that is read batch by batch. */
export interface Batch {
  /** The id of the last item of the previous batch; null: this is the first batch. */
  readonly lastId: string | null;
  readonly max: number;
}

/** The first `limit` items, and whether there was one more. */
export function cutPage<Item>(items: readonly Item[], limit: number): Page<Item> {
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}

interface Documented {
  readonly _id: string;
}

/** Documents that match the filter, newest first: ids sort by creation. The filter itself must not name the id. */
export async function readPage<Document extends Documented, Item>(
  model: Model<Document>,
  filter: QueryFilter<Document>,
  {
    query,
    fromDocument,
  }: { readonly query: ListQuery; readonly fromDocument: (document: Document) => Item },
): Promise<Page<Item>> {
  const { limit, beforeId } = query;
  const before: QueryFilter<Documented> = beforeId === null ? {} : { _id: below(beforeId) };
  const found = await model
    .find({ ...filter, ...before })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .lean<Document[]>();
  return cutPage(found.map(fromDocument), limit);
}
