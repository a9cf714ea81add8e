// Matches documents against a parsed filter. As in MongoDB, an array matches if any of its elements does.
import { type BsonDocument, isArray } from '../values/bson-values';
import { splitPath, walkPath } from '../values/paths';
import type { FilterNode, LogicalNode, PathNode } from './filter-types';

/** True for the documents that a filter selects. */
export type Predicate = (document: BsonDocument) => boolean;

const OPENS_ARRAYS: ReadonlySet<string> = new Set([
  '$eq',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$regex',
]);

const NEGATED: ReadonlySet<string> = new Set(['$ne', '$nin']);

/** Compiles a function that tests documents. Compiling is expensive, so do it once per command. */
export function compileNode(node: FilterNode): Predicate {
  return node.kind === 'path' ? compilePath(node) : compileLogical(node);
}

function compileLogical(node: LogicalNode): Predicate {
  const parts = node.nodes.map(compileNode);
  const only = parts[0];
  if (node.kind === '$and' && parts.length === 1 && only) return only;
  switch (node.kind) {
    case '$and':
      return (document) => parts.every((part) => part(document));
    case '$or':
      return (document) => parts.some((part) => part(document));
    case '$nor':
      return (document) => !parts.some((part) => part(document));
  }
}

function compilePath(node: PathNode): Predicate {
  if (NEGATED.has(node.operator)) return compileNegated(node);
  const parts = splitPath(node.path);
  const opens = OPENS_ARRAYS.has(node.operator);
  const first = parts[0] ?? '';
  if (parts.length === 1) {
    return (document) =>
      Object.hasOwn(document, first)
        ? testValue(node, document[first], opens)
        : node.test(undefined, true);
  }
  return (document) => matchPath(node, document, parts);
}

function matchPath(node: PathNode, document: BsonDocument, parts: readonly string[]): boolean {
  const reached = walkPath(document, parts);
  const opens = OPENS_ARRAYS.has(node.operator);
  if (node.operator === '$exists') return node.test(undefined, reached.values.length === 0);
  if (reached.values.some((value) => testValue(node, value, opens))) return true;
  return reached.missing && node.test(undefined, true);
}

function testValue(node: PathNode, value: unknown, opens: boolean): boolean {
  if (node.test(value, false)) return true;
  if (!opens || !isArray(value)) return false;
  return value.some((item) => node.test(item, false));
}

// Compiles `$ne` and `$nin`. A document matches if none of its values passes the opposite test.
function compileNegated(node: PathNode): Predicate {
  const operator = node.operator === '$ne' ? '$eq' : '$in';
  const positive = compilePath({ ...node, operator });
  return (document) => !positive(document);
}
