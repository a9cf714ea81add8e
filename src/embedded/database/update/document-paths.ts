// Changes a document at a dotted path. Missing parents are created. A path through a scalar is an
// error.
import { badValue, DatabaseError } from '../errors';
import {
  type BsonDocument,
  getField,
  hasField,
  isArray,
  isDocument,
  setField,
} from '../values/bson-values';
import { isIndexPart, readValueAt } from '../values/paths';

type Change = (current: unknown) => unknown;

const BACKFILL_MAX = 1_500_000;

/** Replaces the value at the path with the result of `change`, which gets the current value. */
export function changeAt(document: BsonDocument, parts: readonly string[], change: Change): void {
  let target: BsonDocument | unknown[] = document;
  for (let depth = 0; depth < parts.length - 1; depth++) {
    target = stepInto(target, parts, depth);
  }
  const last = parts.at(-1) ?? '';
  if (isArray(target)) setElement(target, last, change);
  else setField(target, last, change(getField(target, last)));
}

function stepInto(
  target: BsonDocument | unknown[],
  parts: readonly string[],
  depth: number,
): BsonDocument | unknown[] {
  const part = parts[depth] ?? '';
  const present = isArray(target) ? elementAt(target, part) : getField(target, part);
  if (isArray(present) || isDocument(present)) return present;
  const isMissing = isArray(target) ? Number(part) >= target.length : !hasField(target, part);
  if (!isMissing) throw notViable(parts[depth + 1] ?? '', part, present);
  const made: BsonDocument = {};
  if (isArray(target)) setElement(target, part, () => made);
  else setField(target, part, made);
  return made;
}

function elementAt(items: readonly unknown[], part: string): unknown {
  if (!isIndexPart(part)) throw notViable(part, 'array', items);
  return items[Number(part)];
}

function setElement(items: unknown[], part: string, change: Change): void {
  if (!isIndexPart(part)) throw notViable(part, 'array', items);
  const position = Number(part);
  if (position > items.length + BACKFILL_MAX) throw badValue('cannot backfill so many elements');
  while (items.length < position) items.push(null);
  items[position] = change(items[position]);
}

function notViable(field: string, element: string, present: unknown): DatabaseError {
  const kind = isArray(present) ? 'an array' : String(present);
  return new DatabaseError(28, `Cannot create field '${field}' in element {${element}: ${kind}}`);
}

/**
 * Removes the value at the path. An array element becomes null instead, so that the other elements keep their
 * positions.
 */
export function removeAt(document: BsonDocument, parts: readonly string[]): void {
  const parent = parts.length === 1 ? document : readValueAt(document, parts.slice(0, -1));
  const last = parts.at(-1) ?? '';
  if (isDocument(parent)) delete parent[last];
  else if (isArray(parent) && isIndexPart(last) && Number(last) < parent.length) {
    parent[Number(last)] = null;
  }
}
