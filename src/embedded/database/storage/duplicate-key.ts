// Creates the error for a second document with the same unique key, with MongoDB's wording.
import { Binary, Double, Long, ObjectId } from 'bson';
import { DatabaseError } from '../errors';
import { type BsonDocument, isArray, isDocument, toNumber } from '../values/bson-values';

interface UniqueIndex {
  readonly name: string;
  readonly pattern: BsonDocument;
}

/** Creates the error 11000 DuplicateKey with keyPattern and keyValue. */
export function createDuplicateKeyError(
  namespace: string,
  index: UniqueIndex,
  values: readonly unknown[],
): DatabaseError {
  const paths = Object.keys(index.pattern);
  const keyValue: BsonDocument = {};
  paths.forEach((path, position) => {
    const value = values[position];
    keyValue[path] = typeof value === 'symbol' ? undefined : (value ?? null);
  });
  return new DatabaseError(
    11000,
    `E11000 duplicate key error collection: ${namespace} index: ${index.name} dup key: ${formatValue(keyValue)}`,
    { keyPattern: index.pattern, keyValue },
  );
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Binary)
    return `BinData(${value.sub_type}, ${value.toString('hex').toUpperCase()})`;
  if (isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(formatValue).join(', ')} ]`;
  if (isDocument(value)) return textOfDocument(value);
  return textOfNumber(value);
}

function textOfDocument(value: BsonDocument): string {
  const fields = Object.keys(value).map((field) => `${field}: ${formatValue(value[field])}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function textOfNumber(value: unknown): string {
  if (Long.isLong(value)) return value.toString();
  const number = toNumber(value);
  if (number === undefined) return String(value);
  return value instanceof Double && Number.isInteger(number) ? `${number}.0` : String(number);
}
