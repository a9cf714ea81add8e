// The definition of an index, as createIndexes sends it and as the catalogue stores it.
import { DatabaseError } from '../errors';
import { parseFilter } from '../query/filter-parser';
import { compileNode, type Predicate } from '../query/matcher';
import { isTruthy } from '../query/value-tests';
import { type BsonDocument, encodeDocument, isDocument, toNumber } from '../values/bson-values';
import type { KeyField } from '../values/key-tuples';
import { splitPath } from '../values/paths';

type IndexField = KeyField;

/** An index in the form that the planner and the writer use. */
export interface IndexDefinition {
  readonly number: number;
  readonly name: string;
  /** The key pattern as it was sent. */
  readonly pattern: BsonDocument;
  readonly fields: readonly IndexField[];
  readonly unique: boolean;
  readonly partialFilter: BsonDocument | undefined;
  /** True for the documents that a partial index contains. */
  readonly includes: Predicate | undefined;
  /** True while the index is being built: writes maintain it, but nothing reads it. */
  readonly building: boolean;
  /** True once a document has had an array in one of the fields. */
  readonly multikey: boolean;
}

const SPECIFICATION_FIELDS: ReadonlySet<string> = new Set([
  'key',
  'name',
  'ns',
  'v',
  'unique',
  'background',
  'partialFilterExpression',
  'clustered',
]);

const FIELDS_MAX = 32;
const PARTIAL_OPERATORS: ReadonlySet<string> = new Set([
  '$eq',
  '$exists',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
]);

/** Parses one specification of createIndexes. Rejects all unsupported options. */
export function parseIndex(specification: BsonDocument): Omit<IndexDefinition, 'number'> {
  for (const field of Object.keys(specification)) refuseUnknownOption(field);
  const pattern = specification['key'];
  if (!isDocument(pattern)) {
    throw new DatabaseError(9, "The 'key' field is a required property of an index specification");
  }
  const fields = parseFields(pattern);
  const name = specification['name'] ?? defaultName(pattern);
  if (typeof name !== 'string' || name === '') {
    throw new DatabaseError(67, 'The index name must be a nonempty string');
  }
  const partialFilter = parsePartial(specification);
  return {
    name,
    pattern,
    fields,
    unique: isTruthy(specification['unique']),
    partialFilter,
    includes: partialFilter && compileNode(parseFilter(partialFilter)),
    building: false,
    multikey: false,
  };
}

function refuseUnknownOption(field: string): void {
  if (SPECIFICATION_FIELDS.has(field)) return;
  if (['expireAfterSeconds', 'collation', 'hidden', 'sparse'].includes(field)) {
    throw new DatabaseError(67, `The embedded database has no indexes with '${field}'`);
  }
  throw new DatabaseError(197, `The field '${field}' is not valid for an index specification`);
}

function parseFields(pattern: BsonDocument): IndexField[] {
  const paths = Object.keys(pattern);
  if (paths.length === 0) throw new DatabaseError(67, 'Index keys cannot be an empty object');
  if (paths.length > FIELDS_MAX) throw new DatabaseError(67, 'Index keys have too many fields');
  return paths.map((path) => parseField(path, pattern[path]));
}

function parseField(path: string, value: unknown): IndexField {
  if (typeof value === 'string') {
    throw new DatabaseError(67, `Unknown index plugin '${value}'`);
  }
  const direction = toNumber(value);
  if (direction === undefined || direction === 0 || Number.isNaN(direction)) {
    throw new DatabaseError(67, `Values in the index key pattern must be 1 or -1: ${path}`);
  }
  const parts = splitPath(path);
  if (path === '' || parts.includes('')) {
    throw new DatabaseError(67, 'Index keys cannot contain an empty field');
  }
  if (parts.some((part) => part.startsWith('$'))) {
    throw new DatabaseError(67, `Index key contains an illegal field name: '${path}'`);
  }
  return { path, parts, descending: direction < 0 };
}

function parsePartial(specification: BsonDocument): BsonDocument | undefined {
  const filter = specification['partialFilterExpression'];
  if (filter === undefined) return undefined;
  if (!isDocument(filter)) {
    throw new DatabaseError(14, "'partialFilterExpression' must be an object");
  }
  parseFilter(filter);
  for (const [path, condition] of Object.entries(filter)) assertPartial(path, condition);
  return filter;
}

function assertPartial(path: string, condition: unknown): void {
  if (path === '$and' && Array.isArray(condition)) {
    for (const clause of condition.filter(isDocument)) {
      for (const [inner, value] of Object.entries(clause)) assertPartial(inner, value);
    }
    return;
  }
  const operators = isDocument(condition) ? Object.keys(condition) : [];
  const unsupported = operators.find(
    (name) => name.startsWith('$') && !PARTIAL_OPERATORS.has(name),
  );
  if (path.startsWith('$') || unsupported) {
    throw new DatabaseError(
      67,
      `Expression not supported in partial index: ${unsupported ?? path}`,
    );
  }
  if (isDocument(condition) && condition['$exists'] === false) {
    throw new DatabaseError(67, 'Expression not supported in partial index: $exists: false');
  }
}

function defaultName(pattern: BsonDocument): string {
  return Object.keys(pattern)
    .map((path) => `${path}_${toNumber(pattern[path]) ?? ''}`)
    .join('_');
}

/** Returns the definition in the form that the catalogue stores. */
export function indexDocument(index: IndexDefinition): BsonDocument {
  const { number, multikey, building } = index;
  return { number, multikey, building, specification: describeIndex(index) };
}

/** Returns the definition in the form that listIndexes returns. */
export function describeIndex(index: IndexDefinition): BsonDocument {
  return {
    v: 2,
    key: index.pattern,
    name: index.name,
    ...(index.unique ? { unique: true } : {}),
    ...(index.partialFilter ? { partialFilterExpression: index.partialFilter } : {}),
  };
}

/** Reads the output of {@link indexDocument}. */
export function readIndex(document: BsonDocument): IndexDefinition {
  const specification = document['specification'];
  const parsed = parseIndex(isDocument(specification) ? specification : {});
  return {
    ...parsed,
    number: toNumber(document['number']) ?? 0,
    building: document['building'] === true,
    multikey: document['multikey'] === true,
  };
}

/** True if two definitions are equal apart from the name. */
export function hasSameRules(
  a: Omit<IndexDefinition, 'number'>,
  b: Omit<IndexDefinition, 'number'>,
): boolean {
  const rules = (index: Omit<IndexDefinition, 'number'>) =>
    encodeDocument({
      fields: index.fields.map((field) => [field.path, field.descending]),
      unique: index.unique,
      partial: index.partialFilter ?? null,
    });
  return rules(a).equals(rules(b));
}
