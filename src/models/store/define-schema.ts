/**
 * The settings of all schemas: our own ids, no version key, no unknown fields, and no automatic creation of collections
 * or indexes.
 */
import { Schema } from 'mongoose';

/** One index: its fields in order, and whether it is unique or partial. */
export interface IndexDefinition {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
}

/** A collection as `ensureIndexes` creates it and Mongoose reads it. */
export interface CollectionDefinition<Document> {
  readonly name: string;
  readonly schema: Schema<Document>;
  readonly indexes: readonly IndexDefinition[];
  /** Names of indexes of earlier releases, which are dropped. */
  readonly retiredIndexes?: readonly string[];
  /** Documents are stored in the order of `_id`, so that a range of ids is one read. */
  readonly clustered?: true;
}

/** A collection of documents with our own string ids. */
export function defineCollection<Document>(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  options: Omit<CollectionDefinition<Document>, 'name' | 'schema'> = { indexes: [] },
): CollectionDefinition<Document> {
  const schema = new Schema<Document>(
    { _id: String, ...fields },
    {
      id: false,
      versionKey: false,
      minimize: false,
      strict: 'throw',
      strictQuery: 'throw',
      autoIndex: false,
      autoCreate: false,
    },
  );
  return { name, schema, ...options };
}
