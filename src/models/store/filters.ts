/**
 * The range operators that our own queries use, marked as trusted: `sanitizeFilter` disarms every
 * operator that is not made here.
 */
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

export function oneOf<Value>(values: readonly Value[]): { $in: Value[] } {
  return trusted({ $in: [...values] });
}

/** From the first bound, itself included, to the second, itself excluded. */
export function between<Value>(from: Value, to: Value): { $gte: Value; $lt: Value } {
  return trusted({ $gte: from, $lt: to });
}

/** Ids that begin with the prefix; the prefix ends in a colon, and `;` is what follows a colon. */
export function ownedBy(resourceId: string): { $gte: string; $lt: string } {
  return between(`${resourceId}:`, `${resourceId};`);
}

/** The first text behind an id that no other id stands before: ids hold no characters below this one. */
export function justAfter(id: string): string {
  return `${id}!`;
}
