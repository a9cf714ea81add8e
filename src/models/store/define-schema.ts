/**
 * The settings of all schemas. Documents have our own ids, no version key and no unknown fields. Mongoose never creates
 * collections or indexes automatically.
 */
import { Schema } from 'mongoose';

/** One index: its fields in order, and whether it is unique or partial. */
export interface IndexDefinition {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
}

/**
 * The definition of a collection. `ensureIndexes` creates the collection from this definition, and Mongoose uses it to
 * read documents.
 */
export interface CollectionDefinition<Document> {
  readonly name: string;
  readonly schema: Schema<Document>;
  readonly indexes: readonly IndexDefinition[];
  /** Names of indexes that earlier releases created. They are dropped. */
  readonly retiredIndexes?: readonly string[];
  /** Set if documents are stored in the order of `_id`, so that a range of ids is one read. */
  readonly clustered?: true;
}

/** Defines a collection whose documents have our own string ids. */
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
