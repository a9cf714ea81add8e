/** Deletes a batch of documents, few enough that it takes far less than an operation may. */
import type { Model } from 'mongoose';
import { oneOf } from './filters';

/** How many were found. What does not fit the filter any more when it is its turn stays. */
export async function deleteBatch<Document extends { readonly _id: string }>(
  collection: Model<Document>,
  filter: Readonly<Record<string, unknown>>,
  limit = 500,
): Promise<number> {
  const found = await collection.find(filter, { _id: 1 }).limit(limit).lean<{ _id: string }[]>();
  if (found.length === 0) return 0;
  await collection.deleteMany({ ...filter, _id: oneOf(found.map(({ _id }) => _id)) });
  return found.length;
}
