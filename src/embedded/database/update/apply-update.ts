// Applies a parsed update to a copy of a document. Pure but for the clock that comes in the context.
import { Int32, ObjectId, Timestamp } from 'bson';
import { badValue, DatabaseError } from '../errors';
import { calculate } from '../values/arithmetic';
import {
  type BsonDocument,
  cloneDocument,
  cloneValue,
  getField,
  hasField,
  isArray,
  isDocument,
  numberOf,
  setField,
  typeNameOf,
} from '../values/bson-values';
import { compareValues } from '../values/compare';
import { valueAt } from '../values/paths';
import { addToSet, pop, pull, pullAll, push } from './array-operators';
import { changeAt, removeAt, resolvePaths } from './document-paths';
import type { ParsedUpdate, UpdateAction, UpdateContext, UpdateOperator } from './update-types';

/** The document after the update, as a new object; the one before is left alone. */
export function applyUpdate(
  before: BsonDocument,
  update: ParsedUpdate,
  context: UpdateContext,
): BsonDocument {
  if (update.kind === 'replacement') return replaceWhole(before, update.document);
  const document = cloneDocument(before);
  for (const action of update.actions) {
    for (const parts of resolvePaths(document, action, update.arrayFilters, context.filter)) {
      HANDLERS[action.operator]({ document, context }, { ...action, parts });
    }
  }
  assertSameId(before, document, context);
  return document;
}

function replaceWhole(before: BsonDocument, replacement: BsonDocument): BsonDocument {
  const id = getField(before, '_id');
  if (hasField(replacement, '_id')) {
    const wanted = getField(replacement, '_id');
    if (id !== undefined && compareValues(id, wanted) !== 0) {
      throw new DatabaseError(
        66,
        `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${String(wanted)}`,
      );
    }
  }
  return { ...(id === undefined ? {} : { _id: id }), ...cloneDocument(replacement) };
}

function assertSameId(before: BsonDocument, after: BsonDocument, context: UpdateContext): void {
  const id = getField(before, '_id');
  if (context.inserting && id === undefined) return;
  if (hasField(after, '_id') && compareValues(id, getField(after, '_id')) === 0) return;
  throw new DatabaseError(
    66,
    "Performing an update on the path '_id' would modify the immutable field '_id'",
  );
}

interface Target {
  readonly document: BsonDocument;
  readonly context: UpdateContext;
}

type Handler = (target: Target, action: UpdateAction) => void;

const HANDLERS: Readonly<Record<UpdateOperator, Handler>> = {
  $set: ({ document }, { parts, operand }) => changeAt(document, parts, () => cloneValue(operand)),
  $setOnInsert: ({ document, context }, { parts, operand }) => {
    if (context.inserting) changeAt(document, parts, () => cloneValue(operand));
  },
  $unset: ({ document }, { parts }) => removeAt(document, parts),
  $inc: ({ document }, action) => changeNumber(document, action),
  $mul: ({ document }, action) => changeNumber(document, action),
  $min: ({ document }, action) => changeExtreme(document, action, -1),
  $max: ({ document }, action) => changeExtreme(document, action, 1),
  $rename: ({ document }, action) => rename(document, action),
  $currentDate: ({ document, context }, { parts, operand }) =>
    changeAt(document, parts, () => currentDate(operand, context.now)),
  $push: ({ document }, { parts, path, operand }) =>
    changeAt(document, parts, (current) => push(path, current, operand)),
  $addToSet: ({ document }, { parts, path, operand }) =>
    changeAt(document, parts, (current) => addToSet(path, current, operand)),
  $pull: ({ document }, { parts, operand }) =>
    changePresent(document, parts, (current) => pull(current, operand)),
  $pullAll: ({ document }, { parts, operand }) =>
    changePresent(document, parts, (current) => pullAll(current, operand)),
  $pop: ({ document }, { parts, path, operand }) =>
    changePresent(document, parts, (current) => pop(path, current, operand)),
};

// These never create the path that they shorten.
function changePresent(
  document: BsonDocument,
  parts: readonly string[],
  change: (current: unknown) => unknown,
): void {
  if (valueAt(document, parts) !== undefined) changeAt(document, parts, change);
}

function changeExtreme(document: BsonDocument, action: UpdateAction, sign: number): void {
  const { parts, operand } = action;
  const present = valueAt(document, parts);
  if (present !== undefined && compareValues(operand, present) * sign <= 0) return;
  changeAt(document, parts, () => cloneValue(operand));
}

function changeNumber(document: BsonDocument, action: UpdateAction): void {
  const present = valueAt(document, action.parts);
  changeAt(document, action.parts, () => computed(document, action, present));
}

function computed(document: BsonDocument, action: UpdateAction, present: unknown): unknown {
  const { operator, operand, parts } = action;
  if (present === undefined) {
    return operator === '$inc' ? operand : calculate('product', new Int32(0), operand);
  }
  if (numberOf(present) === undefined) {
    const id = String(getField(document, '_id'));
    throw new DatabaseError(
      14,
      `Cannot apply ${operator} to a value of non-numeric type. {_id: ${id}} has the field '${parts.at(-1)}' of non-numeric type ${typeNameOf(present)}`,
    );
  }
  return calculate(operator === '$inc' ? 'sum' : 'product', present, operand);
}

function currentDate(operand: unknown, now: Date): unknown {
  const kind = isDocument(operand) ? operand['$type'] : 'date';
  if (kind !== 'timestamp') return now;
  return new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 });
}

function rename(document: BsonDocument, action: UpdateAction): void {
  const target = String(action.operand).split('.');
  assertNoList('source', document, action.parts);
  const value = valueAt(document, action.parts);
  if (value === undefined) return;
  assertNoList('destination', document, target);
  removeAt(document, action.parts);
  removeAt(document, target);
  changeAt(document, target, () => value);
}

// A field is never renamed out of a list or into one; through any other value that is no document no path leads.
function assertNoList(end: string, document: BsonDocument, parts: readonly string[]): void {
  for (let depth = 1; depth < parts.length; depth++) {
    const present = valueAt(document, parts.slice(0, depth));
    if (present === undefined) return;
    if (isDocument(present)) continue;
    const field = parts.slice(0, depth).join('.');
    if (isArray(present)) {
      throw badValue(
        `The ${end} field cannot be an array element, '${parts.join('.')}' leads through the array '${field}'`,
      );
    }
    throw new DatabaseError(28, `Cannot rename '${parts.join('.')}': '${field}' is no document`);
  }
}

/** The document that an upsert inserts: the equalities of the filter, then the update; `_id` first. */
export function makeUpsert(
  equalities: BsonDocument,
  update: ParsedUpdate,
  context: UpdateContext,
): BsonDocument {
  const id = getField(equalities, '_id');
  const start = update.kind === 'replacement' ? (id === undefined ? {} : { _id: id }) : equalities;
  const made = applyUpdate(start, update, { ...context, inserting: true });
  const ownId = hasField(made, '_id') ? getField(made, '_id') : new ObjectId();
  const result: BsonDocument = { _id: ownId };
  for (const field of Object.keys(made)) setField(result, field, made[field]);
  return result;
}
