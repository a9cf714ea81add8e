// Writes of single documents. Each is atomic, and runs inside a write of the store.
import { ObjectId } from 'bson';
import { badValue, DatabaseError } from '../errors';
import { choosePlan } from '../planner/plan';
import { findFirstRow } from '../planner/results';
import type { Reader } from '../planner/scan';
import { parseFilter } from '../query/filter-parser';
import type { FilterNode } from '../query/filter-types';
import { listEqualities } from '../query/required-tests';
import { parseSort, type SortField } from '../query/sort';
import type { Collection } from '../storage/catalog';
import {
  deleteDocument,
  type Engine,
  insertDocument,
  replaceDocument,
  type StoredDocument,
} from '../storage/documents';
import { applyUpdate, makeUpsert } from '../update/apply-update';
import { changeAt } from '../update/document-paths';
import type { ParsedUpdate } from '../update/update-types';
import {
  assertSupported,
  type BsonDocument,
  DOCUMENT_BYTES_MAX,
  decodeDocument,
  encodeDocument,
  isArray,
  isDocument,
  setField,
} from '../values/bson-values';
import { splitPath } from '../values/paths';

/**
 * Returns the document to store. `_id` comes first and is generated if it is missing. Throws if the document cannot be
 * stored.
 */
export function prepareInsert(raw: Buffer): StoredDocument {
  if (raw.length > DOCUMENT_BYTES_MAX) {
    throw badValue(
      `object to insert too large. size in bytes: ${raw.length}, max size: ${DOCUMENT_BYTES_MAX}`,
    );
  }
  const document = decodeDocument(raw);
  assertSupported(document);
  assertId(document['_id']);
  if (beginsWithId(raw)) return { document, bytes: raw };
  const ordered = withIdFirst(document);
  return { document: ordered, bytes: encodeDocument(ordered) };
}

function assertId(id: unknown): void {
  if (isArray(id)) throw new DatabaseError(53, "The '_id' value cannot be of type array");
  const dollar = isDocument(id) ? Object.keys(id).find((name) => name.startsWith('$')) : undefined;
  if (dollar) {
    throw new DatabaseError(
      52,
      `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`,
    );
  }
}

function beginsWithId(raw: Buffer): boolean {
  return raw.length > 9 && raw.toString('latin1', 5, 9) === '_id\0';
}

function withIdFirst(document: BsonDocument): BsonDocument {
  const result: BsonDocument = { _id: document['_id'] ?? new ObjectId() };
  if (document['_id'] === null) result['_id'] = null;
  for (const field of Object.keys(document)) {
    if (field !== '_id') setField(result, field, document[field]);
  }
  return result;
}

/** Selects the documents of a write. */
export interface Selection {
  readonly collection: Collection;
  readonly filter: FilterNode;
  readonly sort: readonly SortField[];
  readonly hint: unknown;
}

/** Reads the filter, sort and hint of a write. Throws 14 TypeMismatch if the filter is not a document. */
export function readSelection(
  collection: Collection,
  part: BsonDocument,
  field: string,
): Selection {
  const filter = part[field];
  if (filter !== undefined && !isDocument(filter)) {
    throw new DatabaseError(14, `BSON field '${field}' is the wrong type, expected type 'object'`);
  }
  return {
    collection,
    filter: parseFilter(filter ?? {}),
    sort: parseSort(part['sort']),
    hint: part['hint'],
  };
}

/** Returns the first selected document in its stored form. undefined if there is none. */
function findOne(reader: Reader, selection: Selection): StoredDocument | undefined {
  const row = findFirstRow(reader, choosePlan(selection), selection.sort);
  return row && { document: row.document, bytes: row.bytes };
}

/** The effect of an update on one document. */
export interface Updated {
  readonly before: BsonDocument | undefined;
  readonly after: BsonDocument | undefined;
  readonly modified: boolean;
  /** The `_id` of a document that an upsert made. */
  readonly upsertedId: unknown;
}

export interface UpdateOrder {
  readonly selection: Selection;
  readonly update: ParsedUpdate;
  readonly upsert: boolean;
}

/** Updates the first selected document. If there is none and the update is an upsert, inserts a document. */
export function updateOne(engine: Reader, order: UpdateOrder): Updated {
  const found = findOne(engine, order.selection);
  if (found) return updateFound(engine, order, found);
  if (!order.upsert) {
    return { before: undefined, after: undefined, modified: false, upsertedId: undefined };
  }
  return upsert(engine, order);
}

export function updateFound(engine: Engine, order: UpdateOrder, found: StoredDocument): Updated {
  const { collection } = order.selection;
  const after = applyUpdate(found.document, order.update);
  const bytes = encodeDocument(after);
  const before = found.document;
  if (bytes.equals(found.bytes)) return { before, after, modified: false, upsertedId: undefined };
  assertStorable(after, bytes, 17419);
  replaceDocument(engine, collection, { before, after: { document: after, bytes } });
  return { before, after, modified: true, upsertedId: undefined };
}

function assertStorable(document: BsonDocument, bytes: Buffer, code: number): void {
  assertSupported(document);
  if (bytes.length <= DOCUMENT_BYTES_MAX) return;
  throw new DatabaseError(
    code,
    `Resulting document after update is larger than ${DOCUMENT_BYTES_MAX}`,
  );
}

function upsert(engine: Engine, order: UpdateOrder): Updated {
  const { filter, collection } = order.selection;
  const after = makeUpsert(equalityDocument(filter), order.update);
  assertId(after['_id']);
  const bytes = encodeDocument(after);
  assertStorable(after, bytes, 17420);
  insertDocument(engine, collection, { document: after, bytes });
  return { before: undefined, after, modified: false, upsertedId: after['_id'] };
}

function equalityDocument(filter: FilterNode): BsonDocument {
  const document: BsonDocument = {};
  const seen = new Set<string>();
  for (const { path, value } of listEqualities(filter)) {
    if (seen.has(path)) {
      throw new DatabaseError(
        54,
        `cannot infer query fields to set, path '${path}' is matched twice`,
      );
    }
    seen.add(path);
    changeAt(document, splitPath(path), () => value);
  }
  return document;
}

/** Deletes the first selected document and returns it. Returns undefined if there is none. */
export function deleteOne(engine: Reader, selection: Selection): BsonDocument | undefined {
  const found = findOne(engine, selection);
  if (found) deleteDocument(engine, selection.collection, found.document);
  return found?.document;
}
