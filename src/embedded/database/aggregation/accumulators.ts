// The accumulators of $group. Each accumulator reads the values of one group and returns a single value.
import { Double, Int32, Long } from 'bson';
import { toNumber } from '../values/bson-values';
import { compareValues } from '../values/compare';

/** Collects the values of one group. */
export interface Accumulator {
  /** Adds the next value. undefined means that the value is missing. */
  readonly add: (value: unknown) => void;
  readonly result: () => unknown;
}

const FACTORIES = {
  $sum: () => new Sum(),
  $min: () => new Extreme(-1),
  $max: () => new Extreme(1),
} as const satisfies Readonly<Record<string, () => Accumulator>>;

export type AccumulatorName = keyof typeof FACTORIES;

/** The supported accumulators. All others are rejected. */
export const ACCUMULATORS: readonly string[] = Object.keys(FACTORIES);

export function isAccumulator(name: string): name is AccumulatorName {
  return Object.hasOwn(FACTORIES, name);
}

export function createAccumulator(name: AccumulatorName): Accumulator {
  return FACTORIES[name]();
}

const INT_MAX = 0x7fffffff;
const LONG_MAX = 2n ** 63n - 1n;

// Computes a sum: exact for integers, and with compensation of rounding errors for doubles. The sum has the widest type
// of its values: int, long or double.
class Sum implements Accumulator {
  private whole = 0;
  private largeWhole = 0n;
  private sum = 0;
  private carried = 0;
  private plain = 0;
  private hasLong = false;
  private hasDouble = false;

  add(value: unknown): void {
    const number = toNumber(value);
    if (number === undefined) return;
    if (value instanceof Int32) this.addWhole(number);
    else if (Long.isLong(value)) this.addLong(value, number);
    else this.addDouble(number);
  }

  private addLong(value: Long, rounded: number): void {
    this.hasLong = true;
    if (Number.isSafeInteger(rounded)) this.addWhole(rounded);
    else this.largeWhole += value.toBigInt();
  }

  private addWhole(value: number): void {
    const next = this.whole + value;
    if (Number.isSafeInteger(next)) {
      this.whole = next;
      return;
    }
    this.largeWhole += BigInt(this.whole);
    this.whole = value;
  }

  private addDouble(value: number): void {
    this.hasDouble = true;
    this.plain += value;
    const next = this.sum + value;
    const own = next - this.sum;
    this.carried += this.sum - (next - own) + (value - own);
    this.sum = next;
  }

  result(): unknown {
    const whole = this.largeWhole + BigInt(this.whole);
    if (this.hasDouble) return new Double(this.floating(Number(whole)));
    if (!this.hasLong && whole <= INT_MAX && whole >= -INT_MAX - 1) return new Int32(Number(whole));
    const isLong = whole <= LONG_MAX && whole >= -LONG_MAX - 1n;
    return isLong ? Long.fromBigInt(whole) : new Double(Number(whole));
  }

  private floating(whole: number): number {
    const exact = this.sum + (this.carried + whole);
    return Number.isNaN(exact) ? this.plain + whole : exact;
  }
}

class Extreme implements Accumulator {
  private best: unknown;

  constructor(private readonly sign: 1 | -1) {}

  add(value: unknown): void {
    if (value === undefined || value === null) return;
    if (this.best === undefined || compareValues(value, this.best) * this.sign > 0) {
      this.best = value;
    }
  }

  result(): unknown {
    return this.best ?? null;
  }
}
