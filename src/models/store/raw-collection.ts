/** Writes our own documents without Mongoose's casts, which take longer than the writes. */
import type { Model, mongo } from 'mongoose';

/** Returns the collection of a model. Nothing is cast or sanitized, so only values of a known type may be written. */
export function toRawCollection<Document extends object>(
  model: Model<Document>,
): mongo.Collection<Document> {
  return model.db.collection<Document>(model.collection.name);
}
