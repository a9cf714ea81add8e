// The list of collections and indexes, with a copy in memory. Change it only inside a write of the store. If the write
// is undone, `reload` must be called.
import { DatabaseError } from '../errors';
import {
  type BsonDocument,
  decodeDocument,
  encodeDocument,
  isDocument,
  toNumber,
} from '../values/bson-values';
import { type IndexDefinition, indexDocument, readIndex } from './index-definition';
import type { Store } from './store';
import type { KeyRange } from './table';

/** A collection and its indexes, without the index on `_id`. */
export interface Collection {
  readonly namespace: string;
  readonly database: string;
  readonly name: string;
  /** The number of the collection: the first four bytes of the keys of all its documents. */
  readonly number: number;
  readonly options: BsonDocument;
  readonly indexes: readonly IndexDefinition[];
}

// The prefix of the keys of the catalogue itself, which has the number 0.
const CATALOGUE_PREFIX = Buffer.alloc(4);
const COUNTER_KEY = Buffer.concat([CATALOGUE_PREFIX, Buffer.from('#next')]);
const COLLECTIONS_START = Buffer.concat([CATALOGUE_PREFIX, Buffer.from('c:')]);
const DISCARDED_START = Buffer.concat([CATALOGUE_PREFIX, Buffer.from('d:')]);
const DISCARDED_END = Buffer.concat([CATALOGUE_PREFIX, Buffer.from('d;')]);
const COLLECTIONS_END = Buffer.concat([CATALOGUE_PREFIX, Buffer.from('c;')]);

/** Returns the indexes that are completely built and can be read. */
export function listReadyIndexes(collection: Collection): readonly IndexDefinition[] {
  return collection.indexes.filter((index) => !index.building);
}

/** Returns the range of all keys that start with the number of a collection or an index. */
export function buildNumberRange(number: number): KeyRange {
  return { start: encodePrefix(number), end: encodePrefix(number + 1) };
}

/** Returns the four bytes with which all keys of a collection or an index start. */
export function encodePrefix(number: number): Buffer {
  const prefix = Buffer.allocUnsafe(4);
  prefix.writeUInt32BE(number);
  return prefix;
}

export class Catalog {
  private collections = new Map<string, Collection>();
  private discardedNumbers = new Set<number>();
  private nextNumber = 1;

  constructor(private readonly store: Store) {
    this.reload();
  }

  /** Reads the whole catalogue from the table again. */
  reload(): void {
    this.collections = new Map();
    const range = { start: COLLECTIONS_START, end: COLLECTIONS_END };
    for (const { value } of this.store.table.entries(range)) {
      const collection = readCollection(decodeDocument(value));
      this.collections.set(collection.namespace, collection);
    }
    const discarded = this.store.table.entries({ start: DISCARDED_START, end: DISCARDED_END });
    this.discardedNumbers = new Set([...discarded].map((entry) => entry.value.readUInt32BE()));
    const counter = this.store.table.get(COUNTER_KEY);
    this.nextNumber = counter ? counter.readUInt32BE() : 1;
  }

  find(database: string, name: string): Collection | undefined {
    return this.collections.get(`${database}.${name}`);
  }

  /**
   * Returns the current description of a collection. undefined means that this collection was dropped, even if there is
   * a new collection of the same name.
   */
  current({ namespace, number }: Pick<Collection, 'namespace' | 'number'>): Collection | undefined {
    const found = this.collections.get(namespace);
    return found?.number === number ? found : undefined;
  }

  /** Returns the collection. Throws 26 NamespaceNotFound if it does not exist. */
  require(database: string, name: string): Collection {
    const collection = this.find(database, name);
    if (!collection) throw new DatabaseError(26, `ns does not exist: ${database}.${name}`);
    return collection;
  }

  list(database?: string): Collection[] {
    const all = [...this.collections.values()];
    return database === undefined ? all : all.filter((one) => one.database === database);
  }

  /** Creates the collection, which must not exist yet. */
  create(database: string, name: string, options: BsonDocument): Collection {
    const collection: Collection = {
      namespace: `${database}.${name}`,
      database,
      name,
      number: this.takeNumber(),
      options,
      indexes: [],
    };
    this.save(collection);
    return collection;
  }

  /** Returns the collection. Creates it if it is missing, as MongoDB does on the first write. */
  findOrCreate(database: string, name: string): Collection {
    return this.find(database, name) ?? this.create(database, name, {});
  }

  /** Returns a number that no collection or index has ever had. */
  takeNumber(): number {
    const number = this.nextNumber;
    this.nextNumber += 1;
    const counter = Buffer.allocUnsafe(4);
    counter.writeUInt32BE(this.nextNumber);
    this.store.table.put(COUNTER_KEY, counter);
    return number;
  }

  /** Replaces the indexes of a collection and returns its new description. */
  setIndexes(collection: Collection, indexes: readonly IndexDefinition[]): Collection {
    const changed = { ...collection, indexes };
    this.save(changed);
    return changed;
  }

  /** Records that an index contains arrays, so that the planner no longer combines bounds on this index. */
  markMultikey(namespace: string, indexNumber: number): void {
    const collection = this.collections.get(namespace);
    if (!collection) return;
    const indexes = collection.indexes.map((index) =>
      index.number === indexNumber ? { ...index, multikey: true } : index,
    );
    this.setIndexes(collection, indexes);
  }

  /** Removes the collection from the catalogue, and marks its keys for removal. */
  remove(collection: Collection): void {
    this.collections.delete(collection.namespace);
    this.store.table.remove(catalogueKey(collection.namespace));
    this.discard([collection.number, ...collection.indexes.map((index) => index.number)]);
  }

  /** Marks the keys of collections and indexes for removal, by number. The marks survive a restart. */
  discard(numbers: readonly number[]): void {
    for (const number of numbers) {
      this.discardedNumbers.add(number);
      this.store.table.put(discardedKey(number), encodePrefix(number));
    }
  }

  /** Returns a number whose keys are marked for removal. undefined if there is none. */
  nextDiscarded(): number | undefined {
    return this.discardedNumbers.values().next().value;
  }

  /** Deletes the mark of a number. Call this once all of its keys have been removed. */
  forgetDiscarded(number: number): void {
    this.discardedNumbers.delete(number);
    this.store.table.remove(discardedKey(number));
  }

  private save(collection: Collection): void {
    this.collections.set(collection.namespace, collection);
    const document = { ...collection, indexes: collection.indexes.map(indexDocument) };
    this.store.table.put(catalogueKey(collection.namespace), encodeDocument(document));
  }
}

function discardedKey(number: number): Buffer {
  return Buffer.concat([DISCARDED_START, encodePrefix(number)]);
}

function catalogueKey(namespace: string): Buffer {
  return Buffer.concat([COLLECTIONS_START, Buffer.from(namespace)]);
}

function readCollection(document: BsonDocument): Collection {
  const indexes = document['indexes'];
  const options = document['options'];
  return {
    namespace: String(document['namespace']),
    database: String(document['database']),
    name: String(document['name']),
    number: toNumber(document['number']) ?? 0,
    options: isDocument(options) ? options : {},
    indexes: Array.isArray(indexes) ? indexes.filter(isDocument).map(readIndex) : [],
  };
}
