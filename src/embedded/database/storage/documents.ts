// Writes documents together with their index entries, inside one write of the store. All rules are checked before the
// first change.
import { DatabaseError } from '../errors';
import type { BsonDocument } from '../values/bson-values';
import { decodeDocument } from '../values/bson-values';
import { encodeKey } from '../values/key-encoding';
import type { Catalog, Collection } from './catalog';
import { buildNumberRange, encodePrefix } from './catalog';
import { createDuplicateKeyError } from './duplicate-key';
import type { IndexDefinition } from './index-definition';
import { buildIndexKeys, type IndexKey, type IndexKeys } from './index-keys';
import type { Store } from './store';
import { KEY_BYTES_MAX } from './table';

/** A document and its stored bytes. */
export interface StoredDocument {
  readonly document: BsonDocument;
  readonly bytes: Buffer;
}

/** The parts of the database that writers of documents use. */
export interface Engine {
  readonly store: Store;
  readonly catalog: Catalog;
}

interface EntryChange {
  readonly index: IndexDefinition;
  readonly added: readonly IndexKey[];
  readonly removed: readonly IndexKey[];
  readonly multikey: boolean;
}

const NO_KEYS: IndexKeys = { keys: [], multikey: false };

/** Returns the key of a document in the table of records. */
export function recordKey(collection: Collection, idKey: Buffer): Buffer {
  return Buffer.concat([encodePrefix(collection.number), idKey]);
}

/** Returns the sortable bytes of an `_id`. Throws 17280 if it is too long for a key. */
export function encodeIdKey(id: unknown): Buffer {
  const key = encodeKey(id);
  if (key.length + 4 > KEY_BYTES_MAX) {
    throw new DatabaseError(17280, `_id is too large to be a key: ${key.length} bytes`);
  }
  return key;
}

/** Stores a new document. Throws 11000 DuplicateKey if a unique key is taken. */
export function insertDocument(
  engine: Engine,
  collection: Collection,
  stored: StoredDocument,
): void {
  const id = stored.document['_id'];
  const idKey = encodeIdKey(id);
  const key = recordKey(collection, idKey);
  if (engine.store.table.get(key)) {
    throw createDuplicateKeyError(collection.namespace, { name: '_id_', pattern: { _id: 1 } }, [
      id,
    ]);
  }
  const changes = collection.indexes.map((index) =>
    findChange(index, NO_KEYS, buildIndexKeys(index, stored.document)),
  );
  applyChanges(engine, collection, changes, idKey);
  engine.store.table.put(key, stored.bytes);
}

/** Replaces a stored document by another with the same `_id`. */
export function replaceDocument(
  engine: Engine,
  collection: Collection,
  documents: { readonly before: BsonDocument; readonly after: StoredDocument },
): void {
  const { before, after } = documents;
  const idKey = encodeIdKey(before['_id']);
  const changes = collection.indexes.map((index) =>
    findChange(index, buildIndexKeys(index, before), buildIndexKeys(index, after.document)),
  );
  applyChanges(engine, collection, changes, idKey);
  engine.store.table.put(recordKey(collection, idKey), after.bytes);
}

/** Removes a stored document and its index entries. */
export function deleteDocument(
  engine: Engine,
  collection: Collection,
  document: BsonDocument,
): void {
  const idKey = encodeIdKey(document['_id']);
  for (const index of collection.indexes) {
    for (const key of buildIndexKeys(index, document).keys) removeEntry(engine, index, key, idKey);
  }
  engine.store.table.remove(recordKey(collection, idKey));
}

function findChange(index: IndexDefinition, before: IndexKeys, after: IndexKeys): EntryChange {
  const { multikey } = after;
  if (before.keys.length === 0) return { index, added: after.keys, removed: [], multikey };
  const had = new Set(before.keys.map(textOfKey));
  const has = new Set(after.keys.map(textOfKey));
  return {
    index,
    added: after.keys.filter((key) => !had.has(textOfKey(key))),
    removed: before.keys.filter((key) => !has.has(textOfKey(key))),
    multikey,
  };
}

function textOfKey(key: IndexKey): string {
  return key.bytes.toString('latin1');
}

function applyChanges(
  engine: Engine,
  collection: Collection,
  changes: readonly EntryChange[],
  idKey: Buffer,
): void {
  for (const change of changes) assertAllowed(engine, collection, change, idKey);
  for (const { index, added, removed, multikey } of changes) {
    if (multikey && !index.multikey)
      engine.catalog.markMultikey(collection.namespace, index.number);
    for (const key of removed) removeEntry(engine, index, key, idKey);
    for (const key of added) engine.store.table.put(buildEntryKey(index, key, idKey), idKey);
  }
}

// Removes an index entry. While a unique index is being built, the entry may belong to another document with the same
// values. In that case, the entry is kept.
function removeEntry(engine: Engine, index: IndexDefinition, key: IndexKey, idKey: Buffer): void {
  const entry = buildEntryKey(index, key, idKey);
  const owner = index.unique && index.building ? engine.store.table.get(entry) : idKey;
  if (owner?.equals(idKey)) engine.store.table.remove(entry);
}

function assertAllowed(
  engine: Engine,
  collection: Collection,
  change: EntryChange,
  idKey: Buffer,
): void {
  const { index } = change;
  for (const key of change.added) {
    const entry = buildEntryKey(index, key, idKey);
    if (entry.length > KEY_BYTES_MAX) {
      throw new DatabaseError(
        17280,
        `index ${index.name} of ${collection.namespace} takes keys of at most ${KEY_BYTES_MAX} bytes, this one has ${entry.length}`,
      );
    }
    const owner = index.unique ? engine.store.table.get(entry) : undefined;
    if (owner && !owner.equals(idKey))
      throw createDuplicateKeyError(collection.namespace, index, key.values);
  }
}

/** Returns the key of an index entry: the index's number, the values, and the `_id` unless the index is unique. */
export function buildEntryKey(index: IndexDefinition, key: IndexKey, idKey: Buffer): Buffer {
  const prefix = encodePrefix(index.number);
  return Buffer.concat(index.unique ? [prefix, key.bytes] : [prefix, key.bytes, idKey]);
}

/** Adds a document's entries to one index. Throws 11000 if the index is unique and the key is taken. */
export function addEntries(
  engine: Engine,
  collection: Collection,
  index: IndexDefinition,
  document: BsonDocument,
): void {
  const change = findChange(index, NO_KEYS, buildIndexKeys(index, document));
  applyChanges(engine, collection, [change], encodeIdKey(document['_id']));
}

/** Reads all documents of a collection, ordered by `_id`, in small batches. */
export function* readDocuments(engine: Engine, collection: Collection): Generator<StoredDocument> {
  for (const { value } of engine.store.table.entries(buildNumberRange(collection.number))) {
    yield { document: decodeDocument(value), bytes: value };
  }
}
