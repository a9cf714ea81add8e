// Which entries a document has in an index. Pure: the same document always gives the same keys.
import { DatabaseError } from '../errors';
import { type BsonDocument, isArray } from '../values/bson-values';
import { complement, EMPTY_ARRAY_KEY, encodeKey } from '../values/key-encoding';
import { walkPath } from '../values/paths';
import type { IndexDefinition, IndexField } from './index-definition';

/** One key of a document in an index, without the number of the index and the document's `_id`. */
export interface IndexKey {
  readonly bytes: Buffer;
  /** The values it was made of, for the text of a duplicate key error. */
  readonly values: readonly unknown[];
}

/** All keys of a document in an index. */
export interface IndexKeys {
  readonly keys: readonly IndexKey[];
  readonly multikey: boolean;
}

interface FieldKeys {
  readonly keys: readonly IndexKey[];
  readonly multikey: boolean;
  readonly present: boolean;
}

const NONE: IndexKeys = { keys: [], multikey: false };

/** The keys of a document; none when a sparse or partial index leaves it out. */
export function indexKeysOf(index: IndexDefinition, document: BsonDocument): IndexKeys {
  if (index.includes && !index.includes(document)) return NONE;
  const fields = index.fields.map((field) => fieldKeysOf(field, document));
  if (index.sparse && !fields.some((field) => field.present)) return NONE;
  assertOneArray(index, fields);
  const keys = combine(fields);
  return { keys: distinct(keys), multikey: fields.some((field) => field.multikey) };
}

function fieldKeysOf(field: IndexField, document: BsonDocument): FieldKeys {
  const reached = walkPath(document, field.parts);
  const keys: IndexKey[] = [];
  let multikey = reached.throughArray;
  for (const value of reached.values) {
    if (isArray(value)) {
      multikey = true;
      for (const item of value) keys.push(keyOf(field, item));
      if (value.length === 0) keys.push(emptyArrayKey(field));
    } else {
      keys.push(keyOf(field, value));
    }
  }
  const present = reached.values.length > 0;
  if (reached.missing) keys.push(keyOf(field, null));
  if (keys.length === 0) keys.push(emptyArrayKey(field));
  return { keys, multikey, present };
}

function keyOf(field: IndexField, value: unknown): IndexKey {
  const bytes = encodeKey(value);
  return { bytes: field.descending ? complement(bytes) : bytes, values: [value] };
}

function emptyArrayKey(field: IndexField): IndexKey {
  const bytes = field.descending ? complement(EMPTY_ARRAY_KEY) : EMPTY_ARRAY_KEY;
  return { bytes, values: [undefined] };
}

function assertOneArray(index: IndexDefinition, fields: readonly FieldKeys[]): void {
  const roots = new Set<string>();
  fields.forEach((field, position) => {
    if (field.multikey) roots.add(index.fields[position]?.parts[0] ?? '');
  });
  if (roots.size <= 1) return;
  const names = [...roots].map((name) => `[${name}]`).join(' ');
  throw new DatabaseError(171, `cannot index parallel arrays ${names}`);
}

function combine(fields: readonly FieldKeys[]): readonly IndexKey[] {
  const first = fields[0];
  if (fields.length === 1 && first) return first.keys;
  let keys: IndexKey[] = [{ bytes: Buffer.alloc(0), values: [] }];
  for (const field of fields) {
    keys = keys.flatMap((left) =>
      field.keys.map((right) => ({
        bytes: Buffer.concat([left.bytes, right.bytes]),
        values: [...left.values, ...right.values],
      })),
    );
  }
  return keys;
}

function distinct(keys: readonly IndexKey[]): readonly IndexKey[] {
  if (keys.length < 2) return keys;
  const seen = new Map<string, IndexKey>();
  for (const key of keys) seen.set(key.bytes.toString('latin1'), key);
  return [...seen.values()];
}
