/** Reads pages of lists. Reads one more item than the page has, to find out whether there is a next page. */
import type { Model, QueryFilter } from 'mongoose';
import { below } from './filters';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/** Selects a page of a list that is sorted newest first. The page continues after `beforeId`. Ids sort by creation. */
export interface ListQuery {
  readonly limit: number;
  readonly beforeId: string | null;
}

/** Selects some items of a list that is read batch by batch. */
export interface Batch {
  /** The id of the last item of the previous batch. null means the first batch. */
  readonly lastId: string | null;
  readonly max: number;
}

/** Returns the first `limit` items, and whether there are more. */
export function cutPage<Item>(items: readonly Item[], limit: number): Page<Item> {
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}

interface Documented {
  readonly _id: string;
}

/** Reads a page of the documents that match the filter, newest first. The filter must not contain the id. */
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
