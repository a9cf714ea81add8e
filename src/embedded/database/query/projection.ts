// Selects the fields of a document to return. Only `_id` can be excluded.
import { DatabaseError } from '../errors';
import { type BsonDocument, isArray, isDocument, setField, toNumber } from '../values/bson-values';
import { splitPath } from '../values/paths';
import { isTruthy } from './value-tests';

/** Builds the document that is sent to the client. */
export type Projector = (document: BsonDocument) => BsonDocument;

interface Tree {
  readonly children: Map<string, Tree>;
  leaf: boolean;
}

/** Parses the projection of a find. Returns undefined if every field is wanted. */
export function parseProjection(value: unknown): Projector | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isDocument(value)) {
    throw new DatabaseError(14, 'Expected field projection to be of type object');
  }
  if (Object.keys(value).length === 0) return undefined;
  const tree = buildTree(includedPaths(value));
  return (document) => includeFields(document, tree);
}

/**
 * Returns the fields of a projection that only includes whole top-level fields, and undefined for any other projection.
 * The value must be one that `parseProjection` accepts.
 */
export function readPlainFields(value: unknown): ReadonlySet<string> | undefined {
  if (!isDocument(value)) return undefined;
  const { _id: id, ...others } = value;
  const names = Object.keys(others);
  const isPlain = names.every((name) => !name.includes('.') && isWanted(others[name]));
  if (names.length === 0 || !isPlain) return undefined;
  return new Set(id === undefined || isWanted(id) ? ['_id', ...names] : names);
}

function isWanted(wish: unknown): boolean {
  return !isDocument(wish) && isTruthy(wish);
}

// Returns the included paths. A projection may exclude only `_id`, and only together with included fields.
function includedPaths(projection: BsonDocument): string[] {
  const paths = Object.keys(projection).filter((path) => isIncluded(path, projection[path]));
  if (paths.length === 0) throw refused('_id');
  return '_id' in projection ? paths : ['_id', ...paths];
}

function isIncluded(path: string, wish: unknown): boolean {
  if (path.startsWith('$')) throw unknownExpression(path);
  const operator = isDocument(wish) ? Object.keys(wish)[0] : undefined;
  if (operator?.startsWith('$')) throw unknownExpression(operator);
  if (typeof wish !== 'boolean' && toNumber(wish) === undefined) throw refused(path);
  if (path.split('.').includes('$')) throw refused(path);
  if (!isTruthy(wish) && path !== '_id') throw refused(path);
  return isTruthy(wish);
}

function refused(path: string): DatabaseError {
  return new DatabaseError(238, `The embedded database's projections only include fields: ${path}`);
}

function unknownExpression(name: string): DatabaseError {
  return new DatabaseError(31325, `Unknown expression ${name}`);
}

function buildTree(paths: readonly string[]): Tree {
  const root: Tree = { children: new Map(), leaf: false };
  for (const path of paths) {
    let node = root;
    for (const part of splitPath(path)) {
      if (node.leaf) throw collision(path);
      const next: Tree = node.children.get(part) ?? { children: new Map(), leaf: false };
      node.children.set(part, next);
      node = next;
    }
    if (node.children.size > 0) throw collision(path);
    node.leaf = true;
  }
  return root;
}

function collision(path: string): DatabaseError {
  return new DatabaseError(31249, `Path collision at ${path}`);
}

function includeFields(document: BsonDocument, tree: Tree): BsonDocument {
  const result: BsonDocument = {};
  for (const field of Object.keys(document)) {
    const node = tree.children.get(field);
    if (!node) continue;
    const value = document[field];
    if (node.leaf) setField(result, field, value);
    else includeInside(result, field, includeValue(value, node));
  }
  return result;
}

function includeInside(result: BsonDocument, field: string, value: unknown): void {
  if (value !== undefined) setField(result, field, value);
}

function includeValue(value: unknown, tree: Tree): unknown {
  if (isDocument(value)) return includeFields(value, tree);
  if (!isArray(value)) return undefined;
  return value.map((item) => includeValue(item, tree)).filter((item) => item !== undefined);
}
