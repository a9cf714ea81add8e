/** Deletes one batch of documents. It is so small that it stays within the timeout of an operation. */
import type { Model } from 'mongoose';
import { matchAny } from './filters';

/**
 * Returns the number of documents that the filter found. A document that no longer matches the filter when the batch is
 * deleted is kept.
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
