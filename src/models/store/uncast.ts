/** Writes our own documents without Mongoose's casts, which take longer than the writes. */
import type { Model, mongo } from 'mongoose';

/** The collection of a model, for values of a known type: nothing is cast or sanitized. */
export function uncast<Document extends object>(
  model: Model<Document>,
): mongo.Collection<Document> {
  return model.db.collection<Document>(model.collection.name);
}
