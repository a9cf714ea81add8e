// MongoDB's order of all supported values. It must agree with the byte order of key-encoding.ts.
import { Binary, Double, Int32, Long, ObjectId } from 'bson';
import { type BsonDocument, isArray, isDocument, toNumber } from './bson-values';

/** The position of each type in the order. The gaps leave space for further types. No rank is 0 or 255. */
export const RANK = {
  emptyArray: 0x03,
  null: 0x05,
  number: 0x10,
  string: 0x15,
  object: 0x20,
  array: 0x25,
  binary: 0x30,
  objectId: 0x35,
  boolean: 0x40,
  date: 0x45,
} as const;

/** Returns the rank of a value. A missing value has the rank of null. */
export function rankType(value: unknown): number {
  if (value === null || value === undefined) return RANK.null;
  if (typeof value === 'string') return RANK.string;
  if (typeof value === 'number' || typeof value === 'bigint') return RANK.number;
  return typeof value === 'boolean' ? RANK.boolean : rankOfObject(value);
}

function rankOfObject(value: unknown): number {
  if (value instanceof Int32 || value instanceof Double) return RANK.number;
  if (value instanceof ObjectId) return RANK.objectId;
  if (value instanceof Date) return RANK.date;
  if (isArray(value)) return RANK.array;
  if (isDocument(value)) return RANK.object;
  if (Long.isLong(value)) return RANK.number;
  if (value instanceof Binary) return RANK.binary;
  return RANK.object;
}

/**
 * Compares two values. The result is negative if `a` sorts before `b`, positive if after, and zero if they are equal.
 * The order is total.
 */
export function compareValues(a: unknown, b: unknown): number {
  const rank = rankType(a);
  const byRank = rank - rankType(b);
  if (byRank !== 0) return byRank;
  switch (rank) {
    case RANK.string:
      return compareStrings(String(a), String(b));
    case RANK.number:
      return compareNumbers(a, b);
    case RANK.object:
      return compareDocuments(readFields(a), readFields(b));
    case RANK.array:
      return compareArrays(a, b);
    default:
      return compareScalars(a, b);
  }
}

function compareScalars(a: unknown, b: unknown): number {
  if (typeof a === 'boolean' || a instanceof Date) return Number(a) - Number(b);
  if (a instanceof ObjectId && b instanceof ObjectId) return Buffer.compare(a.id, b.id);
  if (a instanceof Binary && b instanceof Binary) return compareBinaries(a, b);
  return 0;
}

function compareBinaries(a: Binary, b: Binary): number {
  return a.position - b.position || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value());
}

/** Returns the fields of a document, or of a BSON class that is stored as a document (DBRef). */
export function readFields(value: unknown): BsonDocument {
  if (isDocument(value)) return value;
  return { ...Object(value) };
}

/** Compares texts by their UTF-8 bytes, without encoding them. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return codePointWeight(left) - codePointWeight(right);
  }
  return a.length - b.length;
}

// Returns the position of a UTF-16 unit in the order of UTF-8. In UTF-16, surrogates sort below U+E000…U+FFFF. In
// UTF-8, the characters that they encode sort above.
function codePointWeight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareNumbers(a: unknown, b: unknown): number {
  const left = toNumber(a) ?? 0;
  const right = toNumber(b) ?? 0;
  if (left < right) return -1;
  if (left > right) return 1;
  if (left === right) return compareLargeIntegers(a, b, left);
  return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
}

// Above 2^53, different longs may round to the same double, so their exact values are compared.
function compareLargeIntegers(a: unknown, b: unknown, rounded: number): number {
  if (Number.isSafeInteger(rounded) || !Number.isFinite(rounded)) return 0;
  const left = toExactInteger(a);
  const right = toExactInteger(b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Converts a number to a bigint, for integers that a double cannot hold exactly. */
export function toExactInteger(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (Long.isLong(value)) return value.toBigInt();
  const rounded = toNumber(value) ?? 0;
  return BigInt(Math.trunc(rounded));
}

function compareDocuments(a: BsonDocument, b: BsonDocument): number {
  const left = Object.keys(a);
  const right = Object.keys(b);
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const order = compareFields(a, left[i] ?? '', b, right[i] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareFields(a: BsonDocument, aName: string, b: BsonDocument, bName: string): number {
  return (
    rankType(a[aName]) - rankType(b[bName]) ||
    compareStrings(aName, bName) ||
    compareValues(a[aName], b[bName])
  );
}

function compareArrays(a: unknown, b: unknown): number {
  if (!isArray(a) || !isArray(b)) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
