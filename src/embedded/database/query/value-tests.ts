// The tests of single values, one for each query operator.
import { badValue, DatabaseError } from '../errors';
import { isArray, isDocument, toNumber } from '../values/bson-values';
import { compareValues, RANK, rankType } from '../values/compare';
import { encodeKey } from '../values/key-encoding';
import type { PathOperator, ValueTest } from './filter-types';

const FACTORIES: Readonly<Record<PathOperator, (operand: unknown) => ValueTest>> = {
  $eq: equalTest,
  $ne: equalTest,
  $gt: (operand) => orderTest(operand, (order) => order > 0),
  $gte: (operand) => orderTest(operand, (order) => order >= 0),
  $lt: (operand) => orderTest(operand, (order) => order < 0),
  $lte: (operand) => orderTest(operand, (order) => order <= 0),
  $in: (operand) => inTest('$in', operand),
  $nin: (operand) => inTest('$nin', operand),
  $exists: existsTest,
  $regex: containsTest,
};

/** Operators that test the value at a path. All others are rejected. */
export const PATH_OPERATORS: readonly string[] = Object.keys(FACTORIES);

/** True for the operators that test the value at a path. */
export function isPathOperator(name: string): name is PathOperator {
  return Object.hasOwn(FACTORIES, name);
}

/** Creates the test of an operator. Throws MongoDB's error if the operand is invalid. */
export function createValueTest(operator: PathOperator, operand: unknown): ValueTest {
  return FACTORIES[operator](operand);
}

function equalTest(operand: unknown): ValueTest {
  if (operand === null || operand === undefined) {
    return (value, missing) => missing || value === null || value === undefined;
  }
  if (typeof operand === 'string') {
    return (value) => value === operand || (typeof value !== 'string' && equals(value, operand));
  }
  return (value, missing) => !missing && equals(value, operand);
}

function equals(value: unknown, operand: unknown): boolean {
  return compareValues(value, operand) === 0;
}

// Creates the test of an order operator, such as `$gt`. It matches only values of the operand's type. If the operand is
// null, a missing value counts as null.
function orderTest(operand: unknown, accepts: (order: number) => boolean): ValueTest {
  const rank = rankType(operand);
  if (rank === RANK.null) {
    return (value) => rankType(value) === RANK.null && accepts(0);
  }
  const ofNumber = toNumber(operand);
  if (ofNumber !== undefined && Number.isNaN(ofNumber)) {
    return (value) => Number.isNaN(toNumber(value)) && accepts(0);
  }
  return (value, missing) => {
    if (missing || rankType(value) !== rank || isNaNValue(value, rank)) return false;
    return accepts(compareValues(value, operand));
  };
}

function isNaNValue(value: unknown, rank: number): boolean {
  return rank === RANK.number && Number.isNaN(toNumber(value));
}

function inTest(operator: string, operand: unknown): ValueTest {
  if (!isArray(operand)) throw badValue(`${operator} needs an array`);
  if (operand.some(isExpression)) throw badValue(`cannot nest $ under ${operator}`);
  const matchesNull = operand.some((item) => item === null || item === undefined);
  const keys = new Set(operand.map(keyText));
  return (value, missing) => {
    if (missing || value === null || value === undefined) return matchesNull;
    return keys.has(keyText(value));
  };
}

function keyText(value: unknown): string {
  return encodeKey(value).toString('latin1');
}

function isExpression(value: unknown): boolean {
  return isDocument(value) && Object.keys(value)[0]?.startsWith('$') === true;
}

function existsTest(operand: unknown): ValueTest {
  const wanted = isTruthy(operand);
  return (_value, missing) => missing !== wanted;
}

/** True for everything except false, null, missing and zero, as in MongoDB. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  const number = toNumber(value);
  return number === undefined || number !== 0;
}

// Matches patterns without special characters. All other patterns are rejected, because regular expressions are never
// evaluated.
const LITERAL = /^(?:\\[!-/:-@[-`{-~]|[^\0\\^$.*+?()[\]{}|])*$/;

function containsTest(pattern: unknown): ValueTest {
  if (typeof pattern !== 'string') throw badValue('$regex has to be a string');
  if (!LITERAL.test(pattern)) {
    throw new DatabaseError(
      51091,
      'Regular expression is invalid: the embedded database finds escaped texts only',
    );
  }
  const text = pattern.replaceAll(/\\(.)/g, '$1');
  return (value) => typeof value === 'string' && value.includes(text);
}
