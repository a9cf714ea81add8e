// Reads and writes BSON without losing types.
import { Binary, BSONError, Double, deserialize, Int32, Long, ObjectId, serialize } from 'bson';
import { DatabaseError } from '../errors';

/** A document in memory. The order of its fields is preserved. Numbers are Int32, Double or Long. */
export type BsonDocument = { [field: string]: unknown };

/** The largest document that may be stored. */
export const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

/** The largest BSON object in a message: a stored document, plus some space for the command around it. */
export const MESSAGE_DOCUMENT_BYTES_MAX = DOCUMENT_BYTES_MAX + 16 * 1024;

/** Maximum nesting depth of documents and arrays in a stored document. */
const DEPTH_MAX = 100;

/** Maximum nesting depth of documents and arrays in a command. */
export const COMMAND_DEPTH_MAX = 200;

const FAITHFUL = {
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: false,
  bsonRegExp: true,
  allowObjectSmallerThanBufferSize: false,
} as const;

/**
 * Decodes a document, and keeps every BSON type. Throws 22 InvalidBSON if the bytes are malformed, and 15 Overflow if
 * the document nests too deep.
 */
export function decodeDocument(bytes: Uint8Array): BsonDocument {
  try {
    return deserialize(bytes, FAITHFUL);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new DatabaseError(15, `BSON document nests deeper than ${DEPTH_MAX} levels`);
    }
    if (error instanceof BSONError) throw new DatabaseError(22, error.message);
    throw error;
  }
}

/** Encodes a document. JavaScript numbers become int if they fit, and otherwise double. */
export function encodeDocument(document: BsonDocument): Buffer {
  const bytes = serialize(document, { ignoreUndefined: true });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** True for an embedded document, false for an array and for every other BSON type. */
export function isDocument(value: unknown): value is BsonDocument {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function isArray(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

/**
 * BSON types that the embedded database refuses, with MongoDB's names. The database cannot order or add values of these
 * types.
 */
const REFUSED_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['Decimal128', 'decimal'],
  ['BSONRegExp', 'regex'],
  ['BSONSymbol', 'symbol'],
  ['Code', 'javascript'],
  ['Timestamp', 'timestamp'],
  ['MinKey', 'minKey'],
  ['MaxKey', 'maxKey'],
]);

/** Throws 15 Overflow if the value nests deeper than `depthMax`, and 238 for unsupported types. */
export function assertSupported(value: unknown, depthMax = DEPTH_MAX): void {
  if (typeof value !== 'object' || value === null) return;
  if (!isArray(value) && !isDocument(value)) {
    const type = '_bsontype' in value ? REFUSED_TYPES.get(value._bsontype) : undefined;
    if (type === undefined) return;
    throw new DatabaseError(238, `The embedded database has no values of type ${type}`);
  }
  if (depthMax === 0) {
    throw new DatabaseError(
      15,
      `cannot insert document because it exceeds ${DEPTH_MAX} levels of nesting`,
    );
  }
  if (isArray(value)) {
    for (const item of value) assertSupported(item, depthMax - 1);
    return;
  }
  for (const field in value) assertSupported(value[field], depthMax - 1);
}

/** Copies a value deeply. */
export function cloneValue(value: unknown): unknown {
  if (isArray(value)) return value.map(cloneValue);
  if (isDocument(value)) return cloneDocument(value);
  return value;
}

/** Copies a document. The copy shares no part with the original. */
export function cloneDocument(document: BsonDocument): BsonDocument {
  const copy: BsonDocument = {};
  for (const field of Object.keys(document)) setField(copy, field, cloneValue(document[field]));
  return copy;
}

/** Sets a field of a document. A field named `__proto__` is set like any other field. */
export function setField(target: BsonDocument, field: string, value: unknown): void {
  if (field !== '__proto__') {
    target[field] = value;
    return;
  }
  Object.defineProperty(target, field, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Returns the value of a field. Inherited properties of the object are ignored. */
export function getField(document: BsonDocument, field: string): unknown {
  return Object.hasOwn(document, field) ? document[field] : undefined;
}

/** True if the document has the field, even with the value null. */
export function hasField(document: BsonDocument, field: string): boolean {
  return Object.hasOwn(document, field);
}

/** Returns MongoDB's name for the type of a value, as used in error messages. */
export function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number')
    return Number.isInteger(value) && isInt32(value) ? 'int' : 'double';
  if (typeof value === 'bigint') return 'long';
  if (isArray(value)) return 'array';
  return typeNameOfObject(value);
}

function typeNameOfObject(value: unknown): string {
  if (value instanceof Int32) return 'int';
  if (value instanceof Double) return 'double';
  if (Long.isLong(value)) return 'long';
  if (value instanceof ObjectId) return 'objectId';
  if (value instanceof Date) return 'date';
  if (value instanceof Binary) return 'binData';
  return 'object';
}

function isInt32(value: number): boolean {
  return value >= -0x80000000 && value <= 0x7fffffff && !Object.is(value, -0);
}

/** Returns the value of any BSON number type as a JavaScript number, possibly rounded. undefined for other types. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'bigint' ? Number(value) : undefined;
  }
  if (value instanceof Int32 || value instanceof Double) return value.valueOf();
  if (Long.isLong(value)) return value.toNumber();
  return undefined;
}
