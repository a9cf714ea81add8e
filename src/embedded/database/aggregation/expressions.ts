// Aggregation expressions: checked against a list here, evaluated by mingo.
// Documents come with JavaScript numbers; nothing outside the list ever reaches mingo.
import { Context, evalExpr, ProcessingMode } from 'mingo/core';
import * as accumulatorOperators from 'mingo/operators/accumulator';
import * as expressionOperators from 'mingo/operators/expression';
import { DatabaseError } from '../errors';
import {
  type BsonDocument,
  decodePromoted,
  encodeDocument,
  getField,
  isArray,
  isDocument,
} from '../values/bson-values';
import { splitPath } from '../values/paths';

/** The value of an expression for a document; undefined where it is missing. */
export type Expression = (document: BsonDocument) => unknown;

const OPERATORS: ReadonlySet<string> = new Set([
  '$abs',
  '$add',
  '$and',
  '$arrayElemAt',
  '$arrayToObject',
  '$avg',
  '$ceil',
  '$cmp',
  '$concat',
  '$concatArrays',
  '$cond',
  '$dateToString',
  '$dateTrunc',
  '$dayOfMonth',
  '$dayOfWeek',
  '$dayOfYear',
  '$divide',
  '$eq',
  '$exp',
  '$filter',
  '$first',
  '$floor',
  '$gt',
  '$gte',
  '$hour',
  '$ifNull',
  '$in',
  '$indexOfArray',
  '$indexOfCP',
  '$isArray',
  '$isNumber',
  '$last',
  '$let',
  '$literal',
  '$ln',
  '$log10',
  '$lt',
  '$lte',
  '$map',
  '$max',
  '$mergeObjects',
  '$millisecond',
  '$min',
  '$minute',
  '$mod',
  '$month',
  '$multiply',
  '$ne',
  '$not',
  '$objectToArray',
  '$or',
  '$pow',
  '$range',
  '$reduce',
  '$reverseArray',
  '$round',
  '$second',
  '$setDifference',
  '$setIntersection',
  '$setUnion',
  '$size',
  '$slice',
  '$split',
  '$sqrt',
  '$strLenCP',
  '$substrCP',
  '$subtract',
  '$sum',
  '$switch',
  '$toBool',
  '$toDate',
  '$toDouble',
  '$toInt',
  '$toLong',
  '$toLower',
  '$toString',
  '$toUpper',
  '$trim',
  '$trunc',
  '$type',
  '$year',
]);

const VARIABLES: ReadonlySet<string> = new Set(['ROOT', 'CURRENT', 'REMOVE', 'NOW']);

const OPTIONS = {
  idKey: '_id',
  processingMode: ProcessingMode.CLONE_OFF,
  useStrictMode: true,
  failOnError: true,
  scriptEnabled: false,
  context: Context.init({ expression: expressionOperators, accumulator: accumulatorOperators }),
};

/** True for the expression operators that there are. */
export function isExpressionOperator(name: string): boolean {
  return OPERATORS.has(name);
}

/** Compiles an expression; refuses unknown operators with 168 and unknown variables with 17276. */
export function compileExpression(sent: unknown): Expression {
  assertExpression(sent, new Set());
  const expression = promote(sent);
  if (isConstant(expression)) return () => expression;
  if (isPlainPath(expression)) return fieldReader(expression);
  return (document) => evaluate(document, expression);
}

function isPlainPath(expression: unknown): expression is string {
  return typeof expression === 'string' && !expression.startsWith('$$');
}

function fieldReader(path: string): Expression {
  const parts = splitPath(path.slice(1));
  return (document) => readField(document, parts, 0);
}

// In an expression a path goes through arrays element by element and never by position.
function readField(value: unknown, parts: readonly string[], depth: number): unknown {
  if (depth === parts.length) return value;
  if (isArray(value)) {
    return value
      .filter((item) => isDocument(item) || isArray(item))
      .map((item) => readField(item, parts, depth))
      .filter((item) => item !== undefined);
  }
  if (!isDocument(value)) return undefined;
  return readField(getField(value, parts[depth] ?? ''), parts, depth + 1);
}

function evaluate(document: BsonDocument, expression: unknown): unknown {
  try {
    const value: unknown = evalExpr(document, expression, OPTIONS);
    return value;
  } catch (error) {
    throw new DatabaseError(14, error instanceof Error ? error.message : String(error));
  }
}

/** The same value with JavaScript numbers, as the documents of a pipeline have them. */
export function promote(value: unknown): unknown {
  return decodePromoted(encodeDocument({ v: value }))['v'];
}

/** True for an expression whose value no document can change. */
function isConstant(expression: unknown): boolean {
  if (typeof expression === 'string') return !expression.startsWith('$');
  if (isArray(expression)) return expression.every(isConstant);
  if (!isDocument(expression)) return true;
  return Object.keys(expression).every(
    (field) => !field.startsWith('$') && isConstant(expression[field]),
  );
}

function assertExpression(expression: unknown, variables: ReadonlySet<string>): void {
  if (typeof expression === 'string') assertPath(expression, variables);
  else if (isArray(expression)) for (const item of expression) assertExpression(item, variables);
  else if (isDocument(expression)) assertExpressionDocument(expression, variables);
}

function assertPath(text: string, variables: ReadonlySet<string>): void {
  if (!text.startsWith('$')) return;
  if (!text.startsWith('$$')) {
    if (text === '$' || text.includes('..') || text.endsWith('.')) {
      throw new DatabaseError(16872, "'$' by itself is not a valid FieldPath");
    }
    return;
  }
  const name = text.slice(2).split('.')[0] ?? '';
  if (VARIABLES.has(name) || variables.has(name)) return;
  throw new DatabaseError(17276, `Use of undefined variable: ${name}`);
}

function assertExpressionDocument(document: BsonDocument, variables: ReadonlySet<string>): void {
  const fields = Object.keys(document);
  const operator = fields.find((field) => field.startsWith('$'));
  if (operator === undefined) {
    for (const field of fields) assertExpression(document[field], variables);
    return;
  }
  if (fields.length > 1) {
    throw new DatabaseError(
      15983,
      `An object representing an expression must have exactly one field: ${fields.join(', ')}`,
    );
  }
  if (!OPERATORS.has(operator)) {
    throw new DatabaseError(168, `Unrecognized expression '${operator}'`);
  }
  if (operator !== '$literal') assertOperand(operator, document[operator], variables);
}

// $map, $filter, $reduce and $let bring variables of their own.
function assertOperand(operator: string, operand: unknown, variables: ReadonlySet<string>): void {
  const inner = new Set(variables);
  if (operator === '$reduce') inner.add('this').add('value');
  if (operator === '$map' || operator === '$filter') {
    const name = isDocument(operand) ? operand['as'] : undefined;
    inner.add(typeof name === 'string' ? name : 'this');
  }
  if (operator === '$let' && isDocument(operand) && isDocument(operand['vars'])) {
    for (const name of Object.keys(operand['vars'])) inner.add(name);
  }
  assertExpression(operand, inner);
}
