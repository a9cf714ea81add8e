// Parses sort specifications, and encodes a document's sort key as bytes that sort in the same order.
import { badValue, DatabaseError } from '../errors';
import { type BsonDocument, isDocument, toNumber } from '../values/bson-values';
import { BLOCKED, buildKeyTuples, encodeKeyField, type KeyField } from '../values/key-tuples';
import { splitPath } from '../values/paths';

export type SortField = KeyField;

/** Parses a sort document. Rejects any direction other than 1 and -1. */
export function parseSort(value: unknown): SortField[] {
  if (value === undefined || value === null) return [];
  if (!isDocument(value)) {
    throw new DatabaseError(14, 'Expected field sort to be of type object');
  }
  return Object.keys(value).map((path) => parseField(path, value[path]));
}

function parseField(path: string, value: unknown): SortField {
  if (isDocument(value)) {
    throw badValue(`$meta sort is not supported by the embedded database: ${path}`);
  }
  const direction = toNumber(value);
  if (direction === undefined) {
    throw new DatabaseError(15974, `Illegal key in $sort specification: ${path}: ${String(value)}`);
  }
  if (direction !== 1 && direction !== -1) {
    throw new DatabaseError(
      15975,
      '$sort key ordering must be 1 (for ascending) or -1 (for descending)',
    );
  }
  if (path.startsWith('$')) throw badValue(`The embedded database does not sort by ${path}`);
  if (path === '')
    throw new DatabaseError(40352, 'FieldPath cannot be constructed with empty string');
  return { path, parts: splitPath(path), descending: direction < 0 };
}

/** Returns the top-level fields that decide a sort. */
export function listSortedFields(fields: readonly SortField[]): ReadonlySet<string> {
  return new Set(fields.map((field) => field.parts[0] ?? ''));
}

/** Returns bytes that sort like the documents. Throws 2 if the fields lead through two different arrays. */
export function encodeSortKey(fields: readonly SortField[], document: BsonDocument): Buffer {
  let least: Buffer | undefined;
  for (const values of buildTuples(fields, document)) {
    const key = Buffer.concat(
      fields.map((field, at) => encodeKeyField(field, sortValue(values[at]))),
    );
    if (!least || Buffer.compare(key, least) < 0) least = key;
  }
  return least ?? Buffer.alloc(0);
}

function buildTuples(fields: readonly SortField[], document: BsonDocument) {
  try {
    return buildKeyTuples(document, fields).tuples;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 171) throw error;
    throw badValue('cannot sort with keys that are parallel arrays');
  }
}

function sortValue(value: unknown): unknown {
  return value === BLOCKED ? null : value;
}
