// Adds and multiplies numbers and preserves BSON's number types, for $inc and counts.
import { Double, Int32, Long } from 'bson';
import { badValue } from '../errors';
import { toNumber } from './bson-values';

const INT_MIN = -0x80000000n;
const INT_MAX = 0x7fffffffn;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

type Operation = 'sum' | 'product';

/**
 * Adds or multiplies two numbers. Two ints give an int, or a long if the result does not fit into an int. With a
 * double, the result is a double. Throws 2 BadValue if the result does not fit into a long.
 */
export function calculate(operation: Operation, a: unknown, b: unknown): unknown {
  const left = toInteger(a);
  const right = toInteger(b);
  if (left === undefined || right === undefined) return calculateFloating(operation, a, b);
  const result = operation === 'sum' ? left + right : left * right;
  const isLong = Long.isLong(a) || Long.isLong(b);
  if (!isLong && result >= INT_MIN && result <= INT_MAX) return new Int32(Number(result));
  if (result < LONG_MIN || result > LONG_MAX) {
    throw badValue(
      `Failed to apply an operation to the current value: ${result} is not a 64-bit integer`,
    );
  }
  return Long.fromBigInt(result);
}

function calculateFloating(operation: Operation, a: unknown, b: unknown): unknown {
  const left = toNumber(a) ?? 0;
  const right = toNumber(b) ?? 0;
  const result = operation === 'sum' ? left + right : left * right;
  return new Double(result);
}

function toInteger(value: unknown): bigint | undefined {
  if (value instanceof Int32) return BigInt(value.valueOf());
  if (Long.isLong(value)) return value.toBigInt();
  if (typeof value === 'bigint') return value;
  return undefined;
}
