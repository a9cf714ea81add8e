// Follows dotted paths through documents and arrays, as MongoDB's queries and indexes do.
import { type BsonDocument, getField, hasField, isArray, isDocument } from './bson-values';

/** The values that a path leads to in one document. */
export interface PathValues {
  /** The values at the end of the path, one for each branch. Arrays at the end are not expanded. */
  readonly values: readonly unknown[];
  /** True if the path is missing in one of the branches. A missing path counts as null. */
  readonly missing: boolean;
  /** True if the path led through an array. */
  readonly throughArray: boolean;
}

interface Walk {
  readonly parts: readonly string[];
  readonly values: unknown[];
  missing: boolean;
  throughArray: boolean;
}

/** Splits a dotted path into its parts. */
export function splitPath(path: string): string[] {
  return path.includes('.') ? path.split('.') : [path];
}

/** True for a part that can name an array element. */
export function isIndexPart(part: string): boolean {
  return /^(0|[1-9]\d{0,9})$/.test(part);
}

/**
 * Returns all values that a path reaches. In an array, a part of the path selects a field of every element. If the part
 * is a number, it also selects the element at this position.
 */
export function walkPath(document: BsonDocument, parts: readonly string[]): PathValues {
  const walk: Walk = { parts, values: [], missing: false, throughArray: false };
  walkDocument(walk, document, 0);
  return walk;
}

function walkDocument(walk: Walk, document: BsonDocument, depth: number): void {
  const part = walk.parts[depth] ?? '';
  if (!hasField(document, part)) {
    walk.missing = true;
    return;
  }
  continueWith(walk, getField(document, part), depth + 1);
}

function continueWith(walk: Walk, value: unknown, depth: number): void {
  if (depth === walk.parts.length) {
    walk.values.push(value);
    return;
  }
  if (isArray(value)) walkArray(walk, value, depth);
  else if (isDocument(value)) walkDocument(walk, value, depth);
  else walk.missing = true;
}

function walkArray(walk: Walk, items: readonly unknown[], depth: number): void {
  walk.throughArray = true;
  const part = walk.parts[depth] ?? '';
  if (isIndexPart(part)) {
    const position = Number(part);
    if (position < items.length) continueWith(walk, items[position], depth + 1);
  }
  for (const item of items) {
    if (isDocument(item)) walkDocument(walk, item, depth);
  }
}

/**
 * Returns the value at a path. Numeric parts select array elements by their position. undefined if the path leads to no
 * value.
 */
export function readValueAt(document: BsonDocument, parts: readonly string[]): unknown {
  let current: unknown = document;
  for (const part of parts) {
    if (isArray(current)) current = isIndexPart(part) ? current[Number(part)] : undefined;
    else if (isDocument(current)) current = getField(current, part);
    else return undefined;
  }
  return current;
}
