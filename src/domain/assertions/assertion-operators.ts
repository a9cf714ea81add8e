/** The operators of assertions. Each compares a found value with the expected value. Pure. */
import type { AssertionOperator, JsonValue } from '../../contracts/definition';
import { formatJsonText, isJsonList, readLargeInteger } from '../../contracts/json';
import { includesText } from './includes-text';

/**
 * The result of a comparison. If the comparison is impossible, the result is a failure with a reason: a code, a colon
 * and words.
 */
export interface Comparison {
  readonly ok: boolean;
  readonly problem?: string;
}

export type PatternMatch = (
  pattern: string,
  subject: string,
) => { readonly ok: boolean } | { readonly problem: string };

export interface Expectation {
  readonly operator: Exclude<AssertionOperator, 'exists' | 'notExists'>;
  readonly expected: JsonValue;
  /** True means that the source contains only text, so numbers are parsed from it. */
  readonly isText: boolean;
  /** True means that the found value is a status, so “2xx” matches the whole class. */
  readonly isStatus: boolean;
  readonly matches: PatternMatch;
}

function isObject(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isDeepEqual(left: JsonValue, right: JsonValue): boolean {
  if (isJsonList(left) && isJsonList(right)) {
    return left.length === right.length && left.every((entry, i) => areBothEqual(entry, right[i]));
  }
  if (isObject(left) && isObject(right)) {
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && areBothEqual(left[name], right[name]))
    );
  }
  return (
    left === right ||
    (isNumber(left) && isNumber(right) && formatJsonText(left) === formatJsonText(right))
  );
}

/** True for a number, even if JavaScript cannot represent it exactly. */
function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || readLargeInteger(value) !== null;
}

function areBothEqual(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left !== undefined && right !== undefined && isDeepEqual(left, right);
}

function isScalar(value: JsonValue): boolean {
  return value === null || typeof value !== 'object';
}

/**
 * True if the values are equal. Values of the same JSON type are compared deeply. A text is compared with the JSON text
 * of a number, boolean or null. Inside lists and objects, types must be equal.
 */
export function areEqual(actual: JsonValue, expected: JsonValue): boolean {
  if (typeof actual === 'string' && isScalar(expected))
    return formatJsonText(actual) === formatJsonText(expected);
  if (typeof expected === 'string' && isScalar(actual))
    return formatJsonText(expected) === formatJsonText(actual);
  return isDeepEqual(actual, expected);
}

const STATUS_CLASS = /^([1-9])xx$/i;

function isExpected(actual: JsonValue, expected: JsonValue, isStatus: boolean): boolean {
  const statusClass =
    isStatus && typeof expected === 'string' ? STATUS_CLASS.exec(expected)?.[1] : undefined;
  if (statusClass !== undefined) return formatJsonText(actual).startsWith(statusClass);
  return areEqual(actual, expected);
}

const NUMBER_TEXT = /^\s*[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/;

function toNumber(value: JsonValue, isText: boolean): number | bigint | null {
  if (typeof value === 'number') return value;
  const digits = readLargeInteger(value);
  if (digits !== null) return BigInt(digits);
  return isText && typeof value === 'string' && NUMBER_TEXT.test(value) ? Number(value) : null;
}

type Order = (actual: number | bigint, expected: number | bigint) => boolean;

function compareOrder(actual: JsonValue, { expected, isText }: Expectation, order: Order) {
  const left = toNumber(actual, isText);
  const right = toNumber(expected, isText);
  if (left === null) return { ok: false, problem: 'not_a_number: the found value is not a number' };
  if (right === null)
    return { ok: false, problem: 'not_a_number: the expected value is not a number' };
  return { ok: order(left, right) };
}

function contains(actual: JsonValue, expected: JsonValue): boolean {
  if (isJsonList(actual)) return actual.some((entry) => areEqual(entry, expected));
  if (isObject(actual)) return Object.hasOwn(actual, formatJsonText(expected));
  return includesText(formatJsonText(actual), formatJsonText(expected));
}

function compareText(actual: JsonValue, test: (text: string) => boolean): Comparison {
  if (!isScalar(actual)) return { ok: false, problem: 'not_text: the found value is not text' };
  return { ok: test(formatJsonText(actual)) };
}

function comparePattern(actual: JsonValue, { expected, matches }: Expectation, wish: boolean) {
  const match = matches(formatJsonText(expected), formatJsonText(actual));
  return 'problem' in match ? { ok: false, problem: match.problem } : { ok: match.ok === wish };
}

function isListed(actual: JsonValue, { expected, isStatus }: Expectation): boolean {
  const list = isJsonList(expected) ? expected : [expected];
  return list.some((entry) => isExpected(actual, entry, isStatus));
}

function measureLength(value: JsonValue): number | null {
  if (readLargeInteger(value) !== null) return null;
  if (typeof value === 'string') return Array.from(value).length;
  if (isJsonList(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : null;
}

function compareLength(actual: JsonValue, expected: JsonValue): Comparison {
  const length = measureLength(actual);
  return length === null
    ? { ok: false, problem: 'no_length: the found value has no length' }
    : { ok: areEqual(length, expected) };
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isJsonList(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value) || readLargeInteger(value) !== null;
    case 'number':
      return isNumber(value);
    case 'string':
      return typeof value === 'string' && !isNumber(value);
    default:
      return typeof value === type && value !== null && typeof value !== 'object';
  }
}

function isEmpty(value: JsonValue): boolean {
  return value === null || measureLength(value) === 0;
}

export function compare(actual: JsonValue, expectation: Expectation): Comparison {
  const { operator, expected, isStatus } = expectation;
  switch (operator) {
    case 'equals':
      return { ok: isExpected(actual, expected, isStatus) };
    case 'notEquals':
      return { ok: !isExpected(actual, expected, isStatus) };
    case 'lessThan':
      return compareOrder(actual, expectation, (left, right) => left < right);
    case 'lessThanOrEqual':
      return compareOrder(actual, expectation, (left, right) => left <= right);
    case 'greaterThan':
      return compareOrder(actual, expectation, (left, right) => left > right);
    case 'greaterThanOrEqual':
      return compareOrder(actual, expectation, (left, right) => left >= right);
    case 'contains':
      return { ok: contains(actual, expected) };
    case 'notContains':
      return { ok: !contains(actual, expected) };
    case 'startsWith':
      return compareText(actual, (text) => text.startsWith(formatJsonText(expected)));
    case 'endsWith':
      return compareText(actual, (text) => text.endsWith(formatJsonText(expected)));
    case 'matches':
      return comparePattern(actual, expectation, true);
    case 'notMatches':
      return comparePattern(actual, expectation, false);
    case 'in':
      return { ok: isListed(actual, expectation) };
    case 'notIn':
      return { ok: !isListed(actual, expectation) };
    case 'isEmpty':
      return { ok: isEmpty(actual) };
    case 'isNotEmpty':
      return { ok: !isEmpty(actual) };
    case 'typeIs':
      return { ok: isOfType(actual, formatJsonText(expected)) };
    case 'lengthEquals':
      return compareLength(actual, expected);
  }
}
