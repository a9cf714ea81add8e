// Converts a filter's conditions on one field to intervals of sortable bytes. Pure. The planner combines the intervals
// of all fields.
import type { FilterNode, PathNode } from '../query/filter-types';
import { isArray, toNumber } from '../values/bson-values';
import { RANK, rankType } from '../values/compare';
import { complement, encodeKey, successor } from '../values/key-encoding';

/** An interval of ascending keys. If a bound is included, so are all keys that start with its bytes. */
export interface Interval {
  readonly low: Buffer;
  readonly lowIncluded: boolean;
  readonly high: Buffer;
  readonly highIncluded: boolean;
}

export interface FieldBounds {
  readonly kind: 'points' | 'range';
  /** Disjoint intervals in ascending order. */
  readonly intervals: readonly Interval[];
  /** The tests that are true for every key in the intervals, as long as the index contains no arrays. */
  readonly covered: readonly PathNode[];
}

const NUMBER_START = Buffer.from([RANK.number, 0x00, 0x01]);
const RANGE_OPERATORS: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte']);

/** Returns the nodes that must all match. `$and` is flattened. */
export function listRequiredNodes(node: FilterNode): FilterNode[] {
  return node.kind === '$and' ? node.nodes.flatMap(listRequiredNodes) : [node];
}

/** Computes the bounds of a field. undefined means that the tests imply no bounds. */
export function computeBounds(
  nodes: readonly PathNode[],
  multikey: boolean,
): FieldBounds | undefined {
  const equal = nodes.find((node) => node.operator === '$eq' && !isArray(node.operand));
  if (equal) return computePoints([equal.operand], equal);
  const inList = nodes.find((node) => node.operator === '$in' && isIndexableList(node.operand));
  if (inList && isArray(inList.operand)) return computePoints(inList.operand, inList);
  return computeRange(nodes, multikey);
}

function isIndexableList(operand: unknown): boolean {
  return isArray(operand) && !operand.some(isArray);
}

function computePoints(operands: readonly unknown[], node: PathNode): FieldBounds {
  const keys = new Map<string, Buffer>();
  for (const operand of operands) {
    const key = encodeKey(operand);
    keys.set(key.toString('latin1'), key);
  }
  const sorted = [...keys.values()].sort(Buffer.compare);
  return {
    kind: 'points',
    intervals: sorted.map(pointInterval),
    covered: [node],
  };
}

function pointInterval(key: Buffer): Interval {
  return { low: key, lowIncluded: true, high: key, highIncluded: true };
}

// Computes a range. In an index with arrays, one element may satisfy the lower bound and another element the upper
// bound. So only one of the bounds is used there.
function computeRange(nodes: readonly PathNode[], multikey: boolean): FieldBounds | undefined {
  const ranges = nodes.filter(isBoundedRange);
  const first = ranges[0];
  if (!first) return undefined;
  const rank = rankType(first.operand);
  const used = multikey ? [first] : ranges.filter((node) => rankType(node.operand) === rank);
  const interval = used.reduce(narrow, computeBracket(rank));
  return { kind: 'range', intervals: [interval], covered: used };
}

function isBoundedRange(node: PathNode): boolean {
  if (!RANGE_OPERATORS.has(node.operator) || isArray(node.operand)) return false;
  const rank = rankType(node.operand);
  if (rank === RANK.null) return false;
  return !Number.isNaN(toNumber(node.operand) ?? 0);
}

// Computes the interval of all values of one type. An order operator matches only values of the operand's type, and
// never NaN.
function computeBracket(rank: number): Interval {
  const bracket = Buffer.from([rank]);
  const low = rank === RANK.number ? NUMBER_START : bracket;
  return { low, lowIncluded: true, high: bracket, highIncluded: true };
}

function narrow(interval: Interval, node: PathNode): Interval {
  const key = encodeKey(node.operand);
  const included = node.operator === '$gte' || node.operator === '$lte';
  if (node.operator === '$gt' || node.operator === '$gte') {
    return isHigher(key, included, interval)
      ? { ...interval, low: key, lowIncluded: included }
      : interval;
  }
  return isLower(key, included, interval)
    ? { ...interval, high: key, highIncluded: included }
    : interval;
}

function isHigher(key: Buffer, included: boolean, interval: Interval): boolean {
  const order = Buffer.compare(key, interval.low);
  return order > 0 || (order === 0 && !included);
}

function isLower(key: Buffer, included: boolean, interval: Interval): boolean {
  if (interval.high.length === 1) return true;
  const order = Buffer.compare(key, interval.high);
  return order < 0 || (order === 0 && !included);
}

/**
 * A range of one field's keys, as bytes: from `start` (inclusive) to `end` (exclusive). If `end` is undefined, the
 * range has no end.
 */
export interface ByteRun {
  readonly start: Buffer;
  readonly end: Buffer | undefined;
}

/** Returns the key range of an interval in an index that sorts the field ascending or descending. */
export function toByteRun(interval: Interval, descending: boolean): ByteRun {
  const { low, lowIncluded, high, highIncluded } = interval;
  if (!descending) {
    const start = lowIncluded ? low : (successor(low) ?? low);
    return { start, end: highIncluded ? successor(high) : high };
  }
  const first = complement(high);
  const last = complement(low);
  const start = highIncluded ? first : (successor(first) ?? first);
  return { start, end: lowIncluded ? successor(last) : last };
}
