/** Range operators for our own queries. `sanitizeFilter` makes all other operators harmless. */
import { trusted } from 'mongoose';

export function below<Value>(value: Value): { $lt: Value } {
  return trusted({ $lt: value });
}

export function atMost<Value>(value: Value): { $lte: Value } {
  return trusted({ $lte: value });
}

export function atLeast<Value>(value: Value): { $gte: Value } {
  return trusted({ $gte: value });
}

export function above<Value>(value: Value): { $gt: Value } {
  return trusted({ $gt: value });
}

export function except<Value>(value: Value): { $ne: Value } {
  return trusted({ $ne: value });
}

export function matchAny<Value>(values: readonly Value[]): { $in: Value[] } {
  return trusted({ $in: [...values] });
}

/** Selects values from the first limit (inclusive) to the second (exclusive). */
export function between<Value>(from: Value, to: Value): { $gte: Value; $lt: Value } {
  return trusted({ $gte: from, $lt: to });
}

/** Selects ids that start with the resource id and a colon. `;` is the next character after a colon. */
export function ownedBy(resourceId: string): { $gte: string; $lt: string } {
  return between(`${resourceId}:`, `${resourceId};`);
}

/** Returns the smallest text after an id, as the lower limit of a range. Ids contain no character below `!`. */
export function justAfter(id: string): string {
  return `${id}!`;
}
