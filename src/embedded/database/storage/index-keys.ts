// Computes the keys of a document in an index. Pure: the same document always gives the same keys.
import type { BsonDocument } from '../values/bson-values';
import { buildKeyTuples, encodeKeyField } from '../values/key-tuples';
import type { IndexDefinition } from './index-definition';

/** One key of a document, without the index's number and the document's `_id`. */
export interface IndexKey {
  readonly bytes: Buffer;
  /** The values that `bytes` encodes. The message of a duplicate key error shows them. */
  readonly values: readonly unknown[];
}

/** All keys of a document in an index. */
export interface IndexKeys {
  readonly keys: readonly IndexKey[];
  readonly multikey: boolean;
}

const NONE: IndexKeys = { keys: [], multikey: false };

/** Returns the keys of a document. Empty if a partial index does not include the document. */
export function buildIndexKeys(index: IndexDefinition, document: BsonDocument): IndexKeys {
  if (index.includes && !index.includes(document)) return NONE;
  const { fields } = index;
  const { tuples, multikey } = buildKeyTuples(document, fields);
  const keys = tuples.map((values) => ({
    bytes: Buffer.concat(fields.map((field, position) => encodeKeyField(field, values[position]))),
    values,
  }));
  return { keys: distinct(keys), multikey };
}

function distinct(keys: readonly IndexKey[]): readonly IndexKey[] {
  if (keys.length < 2) return keys;
  const seen = new Map<string, IndexKey>();
  for (const key of keys) seen.set(key.bytes.toString('latin1'), key);
  return [...seen.values()];
}
