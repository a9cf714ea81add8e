/** Writes our own documents without Mongoose's casts, which take longer than the writes themselves. */
import type { Model, mongo } from 'mongoose';

/** The collection of a model. Only for values of a known type, because nothing is cast or sanitized here. */
export function uncast<Document extends object>(
  model: Model<Document>,
): mongo.Collection<Document> {
  return model.db.collection<Document>(model.collection.name);
}
