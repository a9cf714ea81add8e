// Combines the values of several fields into tuples, for indexes and sorts. For an array, there is one tuple per
// element.
import { DatabaseError } from '../errors';
import { type BsonDocument, getField, isArray, isDocument } from './bson-values';
import { complement, EMPTY_ARRAY_KEY, encodeKey } from './key-encoding';
import { isIndexPart, walkPath } from './paths';

/** A field of an index or of a sort. */
export interface KeyField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly descending: boolean;
}

/** Represents an empty array. It sorts before null and equals nothing else. */
const EMPTY_ARRAY = Symbol('empty array');
/**
 * Represents a path that ends at an array whose elements are not documents. Such a path counts as neither present nor
 * missing.
 */
export const BLOCKED = Symbol('blocked');

/** All tuples of a document. */
export interface KeyTuples {
  /** Each tuple has one value per field. */
  readonly tuples: readonly (readonly unknown[])[];
  /** True if an array was expanded into several tuples. */
  readonly multikey: boolean;
}

/** Returns the sortable bytes of a value from a tuple, inverted if the field is descending. */
export function encodeKeyField(field: KeyField, value: unknown): Buffer {
  const bytes = value === EMPTY_ARRAY || value === BLOCKED ? EMPTY_ARRAY_KEY : encodeKey(value);
  return field.descending ? complement(bytes) : bytes;
}

/** Builds the tuples of a document. Throws 171 if two fields contain different arrays. */
export function buildKeyTuples(document: BsonDocument, fields: readonly KeyField[]): KeyTuples {
  const plain = plainValues(document, fields);
  if (plain) return { tuples: [plain], multikey: false };
  const paths = fields.map((field, position) => ({ parts: field.parts, position }));
  const rows = expand(document, paths);
  return {
    tuples: rows.rows.map((row) => fields.map((_, position) => row.get(position))),
    multikey: rows.multikey,
  };
}

// Returns the values of top-level fields if none of them is an array, and undefined otherwise. This is faster than
// expanding paths.
function plainValues(document: BsonDocument, fields: readonly KeyField[]): unknown[] | undefined {
  const values: unknown[] = [];
  for (const { parts } of fields) {
    const value = getField(document, parts[0] ?? '');
    if (parts.length > 1 || isArray(value)) return undefined;
    values.push(value);
  }
  return values;
}

interface Path {
  readonly parts: readonly string[];
  readonly position: number;
}

type TupleRow = ReadonlyMap<number, unknown>;

interface Rows {
  readonly rows: readonly TupleRow[];
  readonly multikey: boolean;
}

function expand(document: BsonDocument, paths: readonly Path[]): Rows {
  const groups = new Map<string, Path[]>();
  for (const path of paths) {
    const name = path.parts[0] ?? '';
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  let joined: Rows = { rows: [new Map()], multikey: false };
  for (const [name, group] of groups) joined = join(joined, expandGroup(document, name, group));
  return joined;
}

function join(a: Rows, b: Rows): Rows {
  if (a.multikey && b.multikey) throw new DatabaseError(171, 'cannot index parallel arrays');
  const rows = a.rows.flatMap((left) => b.rows.map((right) => new Map([...left, ...right])));
  return { rows, multikey: a.multikey || b.multikey };
}

function expandGroup(document: BsonDocument, name: string, group: readonly Path[]): Rows {
  const only = group[0];
  if (group.length === 1 && only) return expandPath(document, only);
  const value = getField(document, name);
  const inner = group.map(({ parts, position }) => ({ parts: parts.slice(1), position }));
  if (isArray(value)) return expandArray(value, inner);
  if (isDocument(value)) return expandInner(value, inner);
  return { rows: [buildRow(inner, value)], multikey: false };
}

/**
 * Expands a path into rows. A number in the path may be a position in an array, or the name of a field of the array's
 * elements.
 */
function expandPath(document: BsonDocument, { parts, position }: Path): Rows {
  const { values, missing, throughArray } = walkPath(document, parts);
  const found = values.flatMap((value) =>
    isArray(value) ? (value.length === 0 ? [EMPTY_ARRAY] : value) : [value],
  );
  if (missing) found.push(null);
  if (found.length === 0) found.push(BLOCKED);
  return {
    rows: found.map((value) => new Map([[position, value]])),
    multikey: throughArray || values.some(isArray),
  };
}

function expandInner(value: BsonDocument, paths: readonly Path[]): Rows {
  const whole = paths.filter((path) => path.parts.length === 0);
  const deeper = expand(
    value,
    paths.filter((path) => path.parts.length > 0),
  );
  const own = { rows: [buildRow(whole, value)], multikey: false };
  return join(own, deeper);
}

function expandArray(items: readonly unknown[], paths: readonly Path[]): Rows {
  if (paths.some(({ parts }) => isIndexPart(parts[0] ?? ''))) {
    throw new DatabaseError(
      238,
      'The embedded database has no indexes and sorts on several fields of an array by position',
    );
  }
  const rows = items.flatMap((item) => {
    return isDocument(item) ? expandInner(item, paths).rows : [buildRow(paths, item, BLOCKED)];
  });
  if (items.length === 0) rows.push(buildRow(paths, EMPTY_ARRAY, BLOCKED));
  return { rows, multikey: true };
}

/** Builds a row. Paths that end here get `value`, and longer paths get `beyond`. */
function buildRow(paths: readonly Path[], value: unknown, beyond?: unknown): TupleRow {
  return new Map(
    paths.map(({ parts, position }) => [position, parts.length === 0 ? value : beyond]),
  );
}
