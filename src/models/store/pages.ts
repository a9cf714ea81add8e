/** Pages of lists: how they are read, and cut out of rows that were read one past the limit. */
import type { Model, QueryFilter } from 'mongoose';
import { below } from './filters';
import type { ListQuery, Page } from './list-query';

/** The first `limit` rows, and whether there was one more. */
export function cutPage<Row>(rows: readonly Row[], limit: number): Page<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

interface Documented {
  readonly _id: string;
}

/** What fits the filter, newest first: ids sort by creation. The filter itself must not name the id. */
export async function readPage<Document extends Documented, Row>(
  model: Model<Document>,
  filter: QueryFilter<Document>,
  { query, toRow }: { readonly query: ListQuery; readonly toRow: (document: Document) => Row },
): Promise<Page<Row>> {
  const { limit, beforeId } = query;
  const before: QueryFilter<Documented> = beforeId === null ? {} : { _id: below(beforeId) };
  const found = await model
    .find({ ...filter, ...before })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .lean<Document[]>();
  return cutPage(found.map(toRow), limit);
}
