// Sort specifications and the sortable bytes of a document under one.
import { badValue, DatabaseError } from '../errors';
import { type BsonDocument, isArray, isDocument, numberOf } from '../values/bson-values';
import { compareValues } from '../values/compare';
import { complement, EMPTY_ARRAY_KEY, encodeKey } from '../values/key-encoding';
import { splitPath, walkPath } from '../values/paths';

/** One field to sort by. */
export interface SortField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly descending: boolean;
}

/** Reads a sort document; refuses anything but 1 and -1. */
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
  const direction = numberOf(value);
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

/** The top-level fields that a sort looks at. */
export function sortedFields(fields: readonly SortField[]): ReadonlySet<string> {
  return new Set(fields.map((field) => field.parts[0] ?? ''));
}

/** Bytes whose order is the order of the documents under the sort. */
export function sortKeyOf(fields: readonly SortField[], document: BsonDocument): Buffer {
  const parts = fields.map((field) => fieldKey(field, document));
  const only = parts[0];
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}

// An array sorts by its least element upwards and by its greatest downwards.
function fieldKey(field: SortField, document: BsonDocument): Buffer {
  const reached = walkPath(document, field.parts);
  const candidates = reached.values.flatMap((value) => (isArray(value) ? value : [value]));
  if (reached.missing) candidates.push(null);
  const key = candidates.length === 0 ? emptyKey(reached.values) : chooseKey(field, candidates);
  return field.descending ? complement(key) : key;
}

function emptyKey(values: readonly unknown[]): Buffer {
  return values.length > 0 ? EMPTY_ARRAY_KEY : encodeKey(null);
}

function chooseKey(field: SortField, candidates: readonly unknown[]): Buffer {
  const sign = field.descending ? -1 : 1;
  let best = candidates[0];
  for (const candidate of candidates) {
    if (compareValues(candidate, best) * sign < 0) best = candidate;
  }
  return encodeKey(best);
}
