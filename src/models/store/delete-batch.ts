/** Deletes one batch of documents. The batch is small enough to stay within the timeout of an operation. */
import type { Model } from 'mongoose';
import { matchAny } from './filters';

/**
 * Returns the number of documents that the filter found. The deletion checks the filter again, and keeps documents that
 * no longer match.
 */
export async function deleteBatch<Document extends { readonly _id: string }>(
  collection: Model<Document>,
  filter: Readonly<Record<string, unknown>>,
  limit = 500,
): Promise<number> {
  const found = await collection.find(filter, { _id: 1 }).limit(limit).lean<{ _id: string }[]>();
  if (found.length === 0) return 0;
  await collection.deleteMany({ ...filter, _id: matchAny(found.map(({ _id }) => _id)) });
  return found.length;
}
