// Parses a client's filter into a tree. Rejects all unsupported operators with MongoDB's error codes.
import { badValue } from '../errors';
import { type BsonDocument, isArray, isDocument } from '../values/bson-values';
import type { FilterNode, PathNode, PathOperator } from './filter-types';
import { createValueTest, isPathOperator } from './value-tests';

const IGNORED_TOP_LEVEL: ReadonlySet<string> = new Set(['$comment']);

/** Operators that combine whole filters. */
export const CLAUSE_OPERATORS = ['$and', '$or', '$nor'] as const;

function isClauseOperator(name: string): name is (typeof CLAUSE_OPERATORS)[number] {
  return CLAUSE_OPERATORS.some((one) => one === name);
}

/** Parses the filter and returns its tree. */
export function parseFilter(filter: BsonDocument): FilterNode {
  const nodes = Object.keys(filter)
    .filter((key) => !IGNORED_TOP_LEVEL.has(key))
    .flatMap((key) => parseEntry(key, filter[key]));
  const only = nodes[0];
  return nodes.length === 1 && only ? only : { kind: '$and', nodes };
}

function parseEntry(key: string, value: unknown): FilterNode[] {
  if (!key.startsWith('$')) return parsePath(key, value);
  if (isClauseOperator(key)) return [{ kind: key, nodes: parseClauses(key, value) }];
  switch (key) {
    case '$expr':
    case '$where':
    case '$text':
    case '$jsonSchema':
      throw badValue(`${key} is not supported by the embedded database`);
    default:
      throw badValue(
        `unknown top level operator: ${key}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function parseClauses(operator: string, value: unknown): FilterNode[] {
  if (!isArray(value)) throw badValue(`${operator} must be an array`);
  if (value.length === 0) throw badValue('$and/$or/$nor must be a nonempty array');
  return value.map((clause) => {
    if (!isDocument(clause)) throw badValue('$or/$and/$nor entries need to be full objects');
    return parseFilter(clause);
  });
}

function parsePath(path: string, value: unknown): FilterNode[] {
  if (!isOperatorDocument(value)) return [pathNode(path, '$eq', value)];
  return Object.keys(value).map((name) => parseOperator(path, name, value[name]));
}

/** True for `{$gt: 1}`: a non-empty document whose first field is an operator. */
function isOperatorDocument(value: unknown): value is BsonDocument {
  if (!isDocument(value)) return false;
  const first = Object.keys(value)[0];
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id' && first !== '$db';
}

function parseOperator(path: string, name: string, operand: unknown): PathNode {
  if (!isPathOperator(name)) throw badValue(`unknown operator: ${name}`);
  return pathNode(path, name, operand);
}

function pathNode(path: string, operator: PathOperator, operand: unknown): PathNode {
  return { kind: 'path', path, operator, operand, test: createValueTest(operator, operand) };
}
