/** Writes of our own documents past the casts of Mongoose, which cost more than the writes themselves. */
import type { Model, mongo } from 'mongoose';

/** The collection of a model. Only for values that are known to be of their type: nothing is cast or disarmed here. */
export function uncast<Document extends object>(
  model: Model<Document>,
): mongo.Collection<Document> {
  return model.db.collection<Document>(model.collection.name);
}
