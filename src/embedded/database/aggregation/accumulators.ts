// The accumulators of $group: each sees the values of one group and answers one value.
import { type BsonDocument, isDocument, numberOf } from '../values/bson-values';
import { compareValues } from '../values/compare';
import { encodeKey } from '../values/key-encoding';

/** Collects the values of one group. */
export interface Accumulator {
  /** Takes the next value, undefined when it is missing; answers by how many bytes the state grew. */
  readonly add: (value: unknown) => number;
  readonly result: () => unknown;
}

const FACTORIES: Readonly<Record<string, () => Accumulator>> = {
  $sum: sum,
  $count: sum,
  $avg: average,
  $min: () => extreme(-1),
  $max: () => extreme(1),
  $first: first,
  $last: last,
  $push: push,
  $addToSet: addToSet,
  $mergeObjects: mergeObjects,
};

/** True for the accumulators that there are. */
export function isAccumulator(name: string): boolean {
  return Object.hasOwn(FACTORIES, name);
}

/** A fresh accumulator; the name was checked by {@link isAccumulator}. */
export function createAccumulator(name: string): Accumulator {
  return (FACTORIES[name] ?? sum)();
}

function sum(): Accumulator {
  let total = 0;
  return {
    add: (value) => {
      total += numberOf(value) ?? 0;
      return 0;
    },
    result: () => total,
  };
}

function average(): Accumulator {
  let total = 0;
  let count = 0;
  return {
    add: (value) => {
      const number = numberOf(value);
      if (number === undefined) return 0;
      total += number;
      count += 1;
      return 0;
    },
    result: () => (count === 0 ? null : total / count),
  };
}

function extreme(sign: number): Accumulator {
  let best: unknown;
  return {
    add: (value) => {
      if (value === undefined || value === null) return 0;
      if (best === undefined || compareValues(value, best) * sign > 0) best = value;
      return 0;
    },
    result: () => best ?? null,
  };
}

function first(): Accumulator {
  let found = false;
  let kept: unknown = null;
  return {
    add: (value) => {
      if (!found) kept = value ?? null;
      found = true;
      return 0;
    },
    result: () => kept,
  };
}

function last(): Accumulator {
  let kept: unknown = null;
  return {
    add: (value) => {
      kept = value ?? null;
      return 0;
    },
    result: () => kept,
  };
}

function push(): Accumulator {
  const values: unknown[] = [];
  return {
    add: (value) => {
      if (value === undefined) return 0;
      values.push(value);
      return encodeKey(value).length + 16;
    },
    result: () => values,
  };
}

function addToSet(): Accumulator {
  const values = new Map<string, unknown>();
  return {
    add: (value) => {
      if (value === undefined) return 0;
      const key = encodeKey(value).toString('latin1');
      if (values.has(key)) return 0;
      values.set(key, value);
      return key.length + 64;
    },
    result: () => [...values.values()],
  };
}

function mergeObjects(): Accumulator {
  let merged: BsonDocument = {};
  return {
    add: (value) => {
      if (!isDocument(value)) return 0;
      merged = { ...merged, ...value };
      return 0;
    },
    result: () => merged,
  };
}
