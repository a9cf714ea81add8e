// Creates, lists and drops collections, databases and indexes.
import { DatabaseError } from '../errors';
import { parseFilter } from '../query/filter-parser';
import { compileNode } from '../query/matcher';
import { type Collection, listReadyIndexes } from '../storage/catalog';
import { describeIndex, type IndexDefinition } from '../storage/index-definition';
import { type BsonDocument, encodeDocument, isArray, isDocument } from '../values/bson-values';
import { compareValues } from '../values/compare';
import { encodeCursorResponse } from '../wire/cursor-response';
import {
  assertSimpleCollation,
  type Command,
  type CommandCall,
  type CommandResponse,
  readCollectionName,
  readCount,
  readDocument,
  readFlag,
  toLong,
} from './command';
import { createIndexes } from './create-indexes';

const ID_SPECIFICATION: BsonDocument = { v: 2, key: { _id: 1 }, name: '_id_' };
const LIST_BATCH_DEFAULT = 1000;

async function create(call: CommandCall): Promise<CommandResponse> {
  const name = readCollectionName(call);
  const options = createOptions(call);
  await call.services.store.write(() => {
    const { catalog } = call.services;
    const existing = catalog.find(call.database, name);
    if (!existing) catalog.create(call.database, name, options);
    else if (compareValues(existing.options, options) !== 0) throw exists(call.database, name);
  });
  return {};
}

function exists(database: string, name: string): DatabaseError {
  return new DatabaseError(48, `Collection ${database}.${name} already exists.`);
}

function createOptions(call: CommandCall): BsonDocument {
  for (const field of [
    'capped',
    'viewOn',
    'pipeline',
    'timeseries',
    'expireAfterSeconds',
    'validator',
  ]) {
    const value = call.body[field];
    if (value !== undefined && value !== false) {
      throw new DatabaseError(72, `The embedded database has no collections with '${field}'`);
    }
  }
  assertSimpleCollation(call.body['collation']);
  const clustered = call.body['clusteredIndex'];
  if (clustered === undefined) return {};
  if (clustered === true)
    return { clusteredIndex: { v: 2, key: { _id: 1 }, name: '_id_', unique: true } };
  if (!isDocument(clustered) || compareValues(clustered['key'], { _id: 1 }) !== 0) {
    throw new DatabaseError(197, 'The clusteredIndex option requires the key {_id: 1}');
  }
  if (clustered['unique'] !== true) {
    throw new DatabaseError(
      40414,
      "BSON field 'create.clusteredIndex.unique' is missing but a required field",
    );
  }
  return { clusteredIndex: clustered };
}

// Carries out a drop, which takes effect at once. The documents and index entries are removed later, step by step.
async function discard<Result>(call: CommandCall, work: () => Result): Promise<Result> {
  const result = await call.services.store.write(work, { shrinks: true });
  call.services.sweeper.start();
  return result;
}

async function drop(call: CommandCall): Promise<CommandResponse> {
  const name = readCollectionName(call);
  return discard(call, () => {
    const { catalog } = call.services;
    const collection = catalog.find(call.database, name);
    if (!collection) return {};
    catalog.remove(collection);
    return { nIndexesWas: listReadyIndexes(collection).length + 1, ns: collection.namespace };
  });
}

async function dropDatabase(call: CommandCall): Promise<CommandResponse> {
  return discard(call, () => {
    const collections = call.services.catalog.list(call.database);
    for (const collection of collections) call.services.catalog.remove(collection);
    return collections.length > 0 ? { dropped: call.database } : {};
  });
}

async function dropIndexes(call: CommandCall): Promise<CommandResponse> {
  const name = readCollectionName(call);
  return discard(call, () => {
    const { catalog } = call.services;
    const collection = catalog.require(call.database, name);
    const dropped = indexesToDrop(collection, call.body['index']);
    const kept = collection.indexes.filter((index) => !dropped.includes(index));
    catalog.setIndexes(collection, kept);
    catalog.discard(dropped.map((index) => index.number));
    return { nIndexesWas: listReadyIndexes(collection).length + 1 };
  });
}

function indexesToDrop(collection: Collection, wanted: unknown): readonly IndexDefinition[] {
  if (wanted === '*') return collection.indexes;
  if (isArray(wanted)) return wanted.flatMap((one) => indexesToDrop(collection, one));
  if (wanted === '_id_' || compareValues(wanted, { _id: 1 }) === 0) {
    throw new DatabaseError(72, 'cannot drop _id index');
  }
  const found = collection.indexes.filter(
    (index) =>
      index.name === wanted || (isDocument(wanted) && compareValues(index.pattern, wanted) === 0),
  );
  if (found.length > 0) return found;
  const text = isDocument(wanted)
    ? "can't find index with key"
    : `index not found with name [${String(wanted)}]`;
  throw new DatabaseError(27, text);
}

async function listIndexes(call: CommandCall): Promise<CommandResponse> {
  const name = readCollectionName(call);
  const collection = call.services.catalog.require(call.database, name);
  const { clusteredIndex } = collection.options;
  const own = isDocument(clusteredIndex)
    ? {
        v: 2,
        key: { _id: 1 },
        name: clusteredIndex['name'] ?? '_id_',
        unique: true,
        clustered: true,
      }
    : ID_SPECIFICATION;
  const rows = [own, ...listReadyIndexes(collection).map(describeIndex)];
  return listing(call, `${collection.namespace}`, rows);
}

async function listCollections(call: CommandCall): Promise<CommandResponse> {
  const matches = compileNode(parseFilter(readDocument(call, 'filter')));
  const nameOnly = readFlag(call, 'nameOnly');
  const rows = call.services.catalog.list(call.database).map((collection) => ({
    name: collection.name,
    type: 'collection',
    ...(nameOnly
      ? {}
      : { options: collection.options, info: { readOnly: false }, idIndex: ID_SPECIFICATION }),
  }));
  return listing(call, `${call.database}.$cmd.listCollections`, rows.filter(matches));
}

async function listing(
  call: CommandCall,
  namespace: string,
  rows: BsonDocument[],
): Promise<CommandResponse> {
  const cursor = readDocument(call, 'cursor');
  const size = readCount({ ...call, body: cursor }, 'batchSize', LIST_BATCH_DEFAULT);
  const batch = await call.services.cursors.open(rows.map(encodeDocument), {
    namespace,
    connection: call.connection,
    allowance: call.allowance,
    size,
    single: false,
  });
  return encodeCursorResponse({ field: 'firstBatch', namespace, ...batch });
}

function listDatabases(call: CommandCall): CommandResponse {
  const matches = compileNode(parseFilter(readDocument(call, 'filter')));
  const names = [...new Set(call.services.catalog.list().map((one) => one.database))].sort();
  const sizeOnDisk = toLong(call.services.store.usedBytes());
  const databases = names
    .map((name) => (readFlag(call, 'nameOnly') ? { name } : { name, sizeOnDisk, empty: false }))
    .filter(matches);
  return { databases, totalSize: sizeOnDisk };
}

const CREATE_FIELDS = [
  'capped',
  'size',
  'max',
  'collation',
  'viewOn',
  'pipeline',
  'timeseries',
  'expireAfterSeconds',
  'validator',
  'validationLevel',
  'validationAction',
  'clusteredIndex',
  'idIndex',
  'autoIndexId',
];

export const COLLECTION_COMMANDS: Readonly<Record<string, Command>> = {
  create: { fields: CREATE_FIELDS, run: create },
  drop: { fields: [], run: drop },
  dropDatabase: { fields: [], run: dropDatabase },
  createIndexes: { fields: ['indexes', 'commitQuorum'], run: createIndexes },
  dropIndexes: { fields: ['index'], run: dropIndexes },
  listIndexes: { fields: ['cursor'], run: listIndexes },
  listCollections: {
    fields: ['filter', 'nameOnly', 'cursor', 'authorizedCollections'],
    run: listCollections,
  },
  listDatabases: { fields: ['filter', 'nameOnly', 'authorizedDatabases'], run: listDatabases },
};
