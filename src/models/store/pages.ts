/** Cutting a page out of rows that were read one past the limit. */
import type { Page } from './list-query';

/** The first `limit` rows, and whether there was one more. */
export function cutPage<Row>(rows: readonly Row[], limit: number): Page<Row> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
