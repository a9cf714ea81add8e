// $unwind: one document per element of an array.
import { DatabaseError } from '../errors';
import type { Walk } from '../planner/slices';
import {
  type BsonDocument,
  cloneDocument,
  isArray,
  isDocument,
  setField,
} from '../values/bson-values';
import { splitPath, valueAt } from '../values/paths';
import type { Stage } from './stage-types';

interface Unwind {
  readonly parts: readonly string[];
  readonly indexField: string | undefined;
  readonly keepsEmpty: boolean;
}

const FIELDS: ReadonlySet<string> = new Set([
  'path',
  'includeArrayIndex',
  'preserveNullAndEmptyArrays',
]);

/** Reads the operand of $unwind, a path or a document with one. */
export function parseUnwind(operand: unknown): Stage {
  const options = isDocument(operand) ? operand : { path: operand };
  const unknown = Object.keys(options).find((field) => !FIELDS.has(field));
  if (unknown) throw new DatabaseError(28811, `unrecognized option to $unwind stage: ${unknown}`);
  const path = options['path'];
  if (typeof path !== 'string') {
    throw new DatabaseError(28808, 'expected a string as the path for $unwind stage');
  }
  if (!path.startsWith('$') || path.length < 2) {
    throw new DatabaseError(
      28818,
      `path option to $unwind stage should be prefixed with a '$': ${path}`,
    );
  }
  const index = options['includeArrayIndex'];
  const unwind: Unwind = {
    parts: splitPath(path.slice(1)),
    indexField: typeof index === 'string' ? index : undefined,
    keepsEmpty: options['preserveNullAndEmptyArrays'] === true,
  };
  return {
    computes: false,
    apply: async (documents) => unwindAll(documents, unwind),
  };
}

function* unwindAll(
  documents: Walk<BsonDocument>,
  unwind: Unwind,
): Generator<BsonDocument | undefined> {
  for (const document of documents) {
    if (document) yield* unwindOne(document, unwind);
    else yield undefined;
  }
}

function* unwindOne(document: BsonDocument, unwind: Unwind): Generator<BsonDocument> {
  const value = valueAt(document, unwind.parts);
  if (isArray(value) && value.length > 0) {
    for (const [position, item] of value.entries()) {
      yield withIndex(withValue(document, unwind.parts, item), unwind, position);
    }
    return;
  }
  const isEmpty = value === undefined || value === null || isArray(value);
  if (isEmpty && !unwind.keepsEmpty) return;
  const kept = isArray(value) ? withValue(document, unwind.parts, undefined) : document;
  yield withIndex(kept, unwind, null);
}

function withValue(document: BsonDocument, parts: readonly string[], value: unknown): BsonDocument {
  const copy = cloneDocument(document);
  const parent = parts.length === 1 ? copy : valueAt(copy, parts.slice(0, -1));
  const last = parts.at(-1) ?? '';
  if (!isDocument(parent)) return copy;
  if (value === undefined) delete parent[last];
  else setField(parent, last, value);
  return copy;
}

function withIndex(document: BsonDocument, unwind: Unwind, position: number | null): BsonDocument {
  if (unwind.indexField === undefined) return document;
  return { ...document, [unwind.indexField]: position };
}
