// Turns a filter as it was sent into a tree, and refuses with MongoDB's codes all that is not supported.
// Nothing that it accepts is ever ignored later.
import { badValue } from '../errors';
import { type BsonDocument, isArray, isDocument } from '../values/bson-values';
import { regexPartsOf } from '../values/compare';
import type { FilterNode, PathNode, PathOperator } from './filter-types';
import { compileNode, compileValueTest } from './matcher';
import { createValueTest, isPathOperator, regexTest } from './value-tests';

const IGNORED_TOP_LEVEL: ReadonlySet<string> = new Set(['$comment']);

/** The operators over whole filters. */
export const CLAUSE_OPERATORS = ['$and', '$or', '$nor'] as const;

function isClauseOperator(name: string): name is (typeof CLAUSE_OPERATORS)[number] {
  return CLAUSE_OPERATORS.some((one) => one === name);
}

/** The tree of a filter. */
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
  const regex = regexPartsOf(value);
  if (regex) {
    return [pathNode(path, '$regex', value)];
  }
  if (!isOperatorDocument(value)) return [pathNode(path, '$eq', value)];
  return parseOperators(path, value);
}

/** True for `{$gt: 1}`: a non-empty document whose first field is an operator. */
function isOperatorDocument(value: unknown): value is BsonDocument {
  if (!isDocument(value)) return false;
  const first = Object.keys(value)[0];
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id' && first !== '$db';
}

/** The tests of one operator document at one path. */
function parseOperators(path: string, operators: BsonDocument): FilterNode[] {
  if (Object.hasOwn(operators, '$options') && !Object.hasOwn(operators, '$regex')) {
    throw badValue('$options needs a $regex');
  }
  return Object.keys(operators)
    .filter((name) => name !== '$options')
    .map((name) => parseOperator(path, name, operators));
}

function parseOperator(path: string, name: string, operators: BsonDocument): FilterNode {
  const operand = operators[name];
  if (name === '$not') return parseNot(path, operand);
  if (name === '$regex') return regexNode(path, operand, operators['$options']);
  if (name === '$elemMatch') return elemMatchNode(path, operand);
  if (name === '$all' && isArray(operand)) return allNode(path, operand);
  if (!isPathOperator(name)) throw badValue(`unknown operator: ${name}`);
  return pathNode(path, name, operand);
}

function pathNode(path: string, operator: PathOperator, operand: unknown): PathNode {
  return { kind: 'path', path, operator, operand, test: createValueTest(operator, operand) };
}

function regexNode(path: string, pattern: unknown, options: unknown): PathNode {
  const test = regexTest(pattern, options);
  return { kind: 'path', path, operator: '$regex', operand: pattern, test };
}

function parseNot(path: string, operand: unknown): FilterNode {
  if (regexPartsOf(operand)) {
    return { kind: '$not', nodes: [pathNode(path, '$regex', operand)] };
  }
  if (!isDocument(operand)) throw badValue('$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw badValue('$not cannot be empty');
  if (!isOperatorDocument(operand)) {
    throw badValue(`unknown operator: ${Object.keys(operand)[0] ?? ''}`);
  }
  return { kind: '$not', nodes: [{ kind: '$and', nodes: parseOperators(path, operand) }] };
}

function elemMatchNode(path: string, operand: unknown): PathNode {
  if (!isDocument(operand)) throw badValue('$elemMatch needs an Object');
  const matches = compileElement(operand);
  return {
    kind: 'path',
    path,
    operator: '$elemMatch',
    operand,
    test: (value) => isArray(value) && value.some(matches),
  };
}

/** True for the array elements that an `$elemMatch` operand selects; a list in a list is one element. */
export function compileElement(operand: BsonDocument): (item: unknown) => boolean {
  if (isValueCondition(operand)) {
    return compileValueTest({ kind: '$and', nodes: parseOperators('', operand) });
  }
  const element = compileNode(parseFilter(operand));
  // The fields of a list are its positions.
  return (item) => {
    if (isArray(item)) return element(Object.fromEntries(item.entries()));
    return isDocument(item) && element(item);
  };
}

/** True for the array elements that a `$pull` condition selects; lists in the list are opened. */
export function compilePullCondition(operand: BsonDocument): (item: unknown) => boolean {
  if (isValueCondition(operand)) {
    const value = compileNode({ kind: '$and', nodes: parseOperators('v', operand) });
    return (item) => value({ v: item });
  }
  const element = compileNode(parseFilter(operand));
  return (item) => isDocument(item) && element(item);
}

function isValueCondition(operand: BsonDocument): boolean {
  return isOperatorDocument(operand) && !isLogicalOnly(operand);
}

function isLogicalOnly(operand: BsonDocument): boolean {
  return isClauseOperator(Object.keys(operand)[0] ?? '');
}

function allNode(path: string, operands: readonly unknown[]): FilterNode {
  if (operands.length === 0) return { kind: '$nor', nodes: [{ kind: '$and', nodes: [] }] };
  const nodes = operands.map((operand) => {
    if (!isOperatorDocument(operand)) return parsePath(path, operand);
    const inner = operand['$elemMatch'];
    if (Object.keys(operand).length !== 1 || inner === undefined) {
      throw badValue('no $ expressions in $all');
    }
    return [elemMatchNode(path, inner)];
  });
  return { kind: '$and', nodes: nodes.flat() };
}
