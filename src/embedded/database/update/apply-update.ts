// Applies a parsed update to a copy of a document. Pure.
import { ObjectId } from 'bson';
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
  nameType,
  setField,
  toNumber,
} from '../values/bson-values';
import { compareValues } from '../values/compare';
import { readValueAt } from '../values/paths';
import { changeAt, removeAt } from './document-paths';
import type { ParsedUpdate, UpdateAction, UpdateOperator } from './update-types';

/** Returns the updated document as a new object. The original is not changed. */
export function applyUpdate(before: BsonDocument, update: ParsedUpdate): BsonDocument {
  if (update.kind === 'replacement') return replaceWhole(before, update.document);
  return changed(before, update.actions, false);
}

function changed(
  before: BsonDocument,
  actions: readonly UpdateAction[],
  inserting: boolean,
): BsonDocument {
  const document = cloneDocument(before);
  for (const action of actions) {
    if (inserting || action.operator !== '$setOnInsert')
      HANDLERS[action.operator](document, action);
  }
  if (!inserting || hasField(before, '_id')) assertSameId(before, document);
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

function assertSameId(before: BsonDocument, after: BsonDocument): void {
  const id = getField(before, '_id');
  if (hasField(after, '_id') && compareValues(id, getField(after, '_id')) === 0) return;
  throw new DatabaseError(
    66,
    "Performing an update on the path '_id' would modify the immutable field '_id'",
  );
}

type Handler = (document: BsonDocument, action: UpdateAction) => void;

const HANDLERS: Readonly<Record<UpdateOperator, Handler>> = {
  $set: setValue,
  $setOnInsert: setValue,
  $unset: (document, { parts }) => removeAt(document, parts),
  $inc: increment,
  $min: (document, action) => changeExtreme(document, action, -1),
  $max: (document, action) => changeExtreme(document, action, 1),
  $push: (document, { parts, path, operand }) =>
    changeAt(document, parts, (current) => push(path, current, operand)),
};

function setValue(document: BsonDocument, { parts, operand }: UpdateAction): void {
  changeAt(document, parts, () => cloneValue(operand));
}

function changeExtreme(document: BsonDocument, action: UpdateAction, sign: number): void {
  const { parts, operand } = action;
  const present = readValueAt(document, parts);
  if (present !== undefined && compareValues(operand, present) * sign <= 0) return;
  changeAt(document, parts, () => cloneValue(operand));
}

function increment(document: BsonDocument, { parts, operand }: UpdateAction): void {
  const present = readValueAt(document, parts);
  if (present !== undefined && toNumber(present) === undefined) {
    const id = String(getField(document, '_id'));
    throw new DatabaseError(
      14,
      `Cannot apply $inc to a value of non-numeric type. {_id: ${id}} has the field '${parts.at(-1)}' of non-numeric type ${nameType(present)}`,
    );
  }
  changeAt(document, parts, () =>
    present === undefined ? operand : calculate('sum', present, operand),
  );
}

/** Returns the array with the new elements. `$slice` cuts it to its first or last elements. */
function push(path: string, current: unknown, operand: unknown): unknown[] {
  if (current !== undefined && !isArray(current)) {
    throw badValue(`The field '${path}' must be an array but is of type ${nameType(current)}`);
  }
  const items = current ?? [];
  const each = isDocument(operand) ? operand['$each'] : undefined;
  if (!isDocument(operand) || !isArray(each)) return [...items, cloneValue(operand)];
  const joined = [...items, ...each.map(cloneValue)];
  const count = toNumber(operand['$slice']);
  if (count === undefined) return joined;
  if (count === 0) return [];
  return count > 0 ? joined.slice(0, count) : joined.slice(count);
}

/**
 * Returns the document that an upsert inserts: the equalities of the filter, changed by the update. `_id` comes first.
 */
export function makeUpsert(equalities: BsonDocument, update: ParsedUpdate): BsonDocument {
  const made = upserted(equalities, update);
  const ownId = hasField(made, '_id') ? getField(made, '_id') : new ObjectId();
  const result: BsonDocument = { _id: ownId };
  for (const field of Object.keys(made)) setField(result, field, made[field]);
  return result;
}

function upserted(equalities: BsonDocument, update: ParsedUpdate): BsonDocument {
  if (update.kind === 'actions') return changed(equalities, update.actions, true);
  const id = getField(equalities, '_id');
  return replaceWhole(id === undefined ? {} : { _id: id }, update.document);
}
