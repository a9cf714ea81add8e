// One test function per query operator, over a single value; arrays are opened by the matcher.
import { BSONSymbol } from 'bson';
import { badValue, DatabaseError, failedToParse } from '../errors';
import { isArray, isDocument, numberOf, typeNameOf } from '../values/bson-values';
import { compareValues, RANK, rankOf, regexPartsOf, textOf } from '../values/compare';
import { encodeKey } from '../values/key-encoding';
import type { PathOperator, ValueTest } from './filter-types';
import { compilePattern } from './pattern';

const TYPE_NUMBERS: Readonly<Record<number, string>> = {
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  6: 'undefined',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  13: 'javascript',
  14: 'symbol',
  15: 'javascriptWithScope',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  19: 'decimal',
  [-1]: 'minKey',
  127: 'maxKey',
};

const TYPE_NAMES: ReadonlySet<string> = new Set([...Object.values(TYPE_NUMBERS), 'number']);

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
  $type: typeTest,
  $size: sizeTest,
  $all: () => {
    throw badValue('$all needs an array');
  },
  $regex: (operand) => regexTest(operand, undefined),
  $mod: modTest,
  $elemMatch: () => {
    throw badValue('$elemMatch needs an Object');
  },
};

/** The operators that test the value at a path; every other one is refused. */
export const PATH_OPERATORS: readonly string[] = Object.keys(FACTORIES);

/** True for the operators that test the value at a path. */
export function isPathOperator(name: string): name is PathOperator {
  return Object.hasOwn(FACTORIES, name);
}

/** The test of an operator; throws MongoDB's error for an operand that it cannot take. */
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

// Order operators compare within one type only; null stands for missing, too.
function orderTest(operand: unknown, accepts: (order: number) => boolean): ValueTest {
  const rank = rankOf(operand);
  if (rank === RANK.regex) throw badValue("Can't have RegEx as arg to predicate over field");
  if (rank === RANK.null) {
    return (value) => rankOf(value) === RANK.null && accepts(0);
  }
  if (rank === RANK.minKey || rank === RANK.maxKey) {
    return (value, missing) => !missing && accepts(compareValues(value, operand));
  }
  const ofNumber = numberOf(operand);
  if (ofNumber !== undefined && Number.isNaN(ofNumber)) {
    return (value) => Number.isNaN(numberOf(value)) && accepts(0);
  }
  return (value, missing) => {
    if (missing || rankOf(value) !== rank || isNaNValue(value, rank)) return false;
    return accepts(compareValues(value, operand));
  };
}

function isNaNValue(value: unknown, rank: number): boolean {
  return rank === RANK.number && Number.isNaN(numberOf(value));
}

function inTest(operator: string, operand: unknown): ValueTest {
  if (!isArray(operand)) throw badValue(`${operator} needs an array`);
  if (operand.some(isExpression)) throw badValue(`cannot nest $ under ${operator}`);
  const patterns = operand.filter((item) => regexPartsOf(item)).map((item) => regexTest(item, ''));
  const plain = operand.filter((item) => !regexPartsOf(item));
  const matchesNull = plain.some((item) => item === null || item === undefined);
  const keys = new Set(plain.map(keyText));
  return (value, missing) => {
    if (missing || value === null || value === undefined) return matchesNull;
    return keys.has(keyText(value)) || patterns.some((pattern) => pattern(value, false));
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

/** What MongoDB takes for true: all but false, null, missing and zero. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  const number = numberOf(value);
  return number === undefined || number !== 0;
}

function typeTest(operand: unknown): ValueTest {
  const wanted = new Set((isArray(operand) ? operand : [operand]).map(typeName));
  if (wanted.size === 0) throw failedToParse('$type must match at least one type');
  const anyNumber = wanted.has('number');
  return (value, missing) => {
    if (missing) return false;
    return wanted.has(typeNameOf(value)) || (anyNumber && rankOf(value) === RANK.number);
  };
}

function typeName(value: unknown): string {
  if (typeof value === 'string') {
    if (TYPE_NAMES.has(value)) return value;
    throw badValue(`Unknown type name alias: ${value}`);
  }
  const number = numberOf(value);
  if (number === undefined) throw badValue('type must be represented as a number or a string');
  const name = TYPE_NUMBERS[number];
  if (!name) throw badValue(`Invalid numerical type code: ${number}`);
  return name;
}

function sizeTest(operand: unknown): ValueTest {
  const size = numberOf(operand);
  if (size === undefined || !Number.isInteger(size)) {
    throw failedToParse('Failed to parse $size. Expected an integer');
  }
  if (size < 0) throw failedToParse('Failed to parse $size. Expected a non-negative number');
  return (value) => isArray(value) && value.length === size;
}

function modTest(operand: unknown): ValueTest {
  if (!isArray(operand)) throw badValue('malformed mod, needs to be an array');
  if (operand.length < 2) throw badValue('malformed mod, not enough elements');
  if (operand.length > 2) throw badValue('malformed mod, too many elements');
  const divisor = wholePart('divisor', operand[0]);
  const wanted = wholePart('remainder', operand[1]);
  if (divisor === 0) throw badValue('divisor cannot be 0');
  return (value) => {
    const number = numberOf(value);
    return number !== undefined && Math.trunc(number) % divisor === wanted;
  };
}

function wholePart(name: string, operand: unknown): number {
  const number = numberOf(operand);
  if (number === undefined) throw badValue(`malformed mod, ${name} not a number`);
  if (!Number.isFinite(number))
    throw badValue(`malformed mod, ${name} value is invalid: ${number}`);
  return Math.trunc(number);
}

/** The test of a regular expression, given as one or as pattern and options. */
export function regexTest(pattern: unknown, options: unknown): ValueTest {
  const parts = regexPartsOf(pattern) ?? { pattern: textOf(pattern), options: '' };
  if (typeof pattern !== 'string' && !regexPartsOf(pattern))
    throw badValue('$regex has to be a string');
  if (options !== undefined && typeof options !== 'string') {
    throw badValue('$options has to be a string');
  }
  if (options && parts.options) {
    throw new DatabaseError(51075, 'options set in both $regex and $options');
  }
  const matches = compilePattern(parts.pattern, options || parts.options);
  return (value) => {
    if (typeof value === 'string' || value instanceof BSONSymbol) return matches(textOf(value));
    const other = regexPartsOf(value);
    return other?.pattern === parts.pattern && other.options === parts.options;
  };
}
