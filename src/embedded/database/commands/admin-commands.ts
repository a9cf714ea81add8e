// The commands for operators: sizes, consistency checks, and a backup of the whole store.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { badValue, DatabaseError } from '../errors';
import { forEachSliced } from '../planner/slices';
import { buildNumberRange, type Collection, listReadyIndexes } from '../storage/catalog';
import { buildEntryKey, encodeIdKey, readDocuments } from '../storage/documents';
import type { IndexDefinition } from '../storage/index-definition';
import { buildIndexKeys } from '../storage/index-keys';
import { keyAfter } from '../storage/table';
import { type BsonDocument, decodeDocument } from '../values/bson-values';
import {
  type Command,
  type CommandCall,
  type CommandResponse,
  readCollectionName,
  readText,
  toLong,
} from './command';

const KEYS_PER_READ = 500;

function dbStats(call: CommandCall): CommandResponse {
  const { catalog, store } = call.services;
  const collections = catalog.list(call.database);
  const objects = collections.reduce((sum, one) => sum + documentCount(call, one), 0);
  const indexes = collections.reduce((sum, one) => sum + one.indexes.length + 1, 0);
  return {
    db: call.database,
    collections: collections.length,
    views: 0,
    objects: toLong(objects),
    indexes,
    storageSize: toLong(store.usedBytes()),
    totalSize: toLong(store.usedBytes()),
    scaleFactor: 1,
  };
}

function documentCount(call: CommandCall, collection: Collection): number {
  return call.services.store.table.count(buildNumberRange(collection.number));
}

async function collStats(call: CommandCall): Promise<CommandResponse> {
  const name = readCollectionName(call);
  const collection = call.services.catalog.find(call.database, name);
  const ns = `${call.database}.${name}`;
  if (!collection) return { ns, size: 0, count: 0, storageSize: 0, nindexes: 0 };
  let size = 0;
  await forEachSliced(readDocuments(call.services, collection), call.allowance, ({ bytes }) => {
    size += bytes.length;
  });
  const count = documentCount(call, collection);
  const avgObjSize = count === 0 ? 0 : Math.round(size / count);
  return { ns, size: toLong(size), count, avgObjSize, nindexes: collection.indexes.length + 1 };
}

/**
 * Finds documents without their index entries, and index entries without their document. Other clients are served
 * during the check.
 */
async function validate(call: CommandCall): Promise<CommandResponse> {
  const collection = call.services.catalog.require(call.database, readCollectionName(call));
  const indexes = listReadyIndexes(collection);
  const errors: string[] = [];
  const { table } = call.services.store;
  const { start: prefix } = buildNumberRange(collection.number);
  let nrecords = 0;
  await forEachKey(call, collection.number, (key) => {
    // The document and its index entries must be read in the same turn of the event loop, so that no write comes in
    // between.
    const bytes = table.get(key);
    if (!bytes) return;
    nrecords += 1;
    const document = decodeDocument(bytes);
    for (const index of indexes) {
      const missing = missingEntries(call, index, document);
      if (missing > 0) errors.push(`${index.name}: ${missing} entries missing`);
    }
  });
  const keysPerIndex: BsonDocument = { _id_: nrecords };
  for (const index of indexes) {
    let count = 0;
    await forEachKey(call, index.number, (key) => {
      const idKey = table.get(key);
      if (!idKey) return;
      count += 1;
      const bytes = table.get(Buffer.concat([prefix, idKey]));
      const keys = bytes ? buildIndexKeys(index, decodeDocument(bytes)).keys : [];
      if (!keys.some((one) => buildEntryKey(index, one, idKey).equals(key))) {
        errors.push(`${index.name}: an entry without its document`);
      }
    });
    keysPerIndex[index.name] = count;
  }
  return {
    ns: collection.namespace,
    nrecords,
    nIndexes: indexes.length + 1,
    keysPerIndex,
    valid: errors.length === 0,
    errors: errors.slice(0, 100),
  };
}

function forEachKey(call: CommandCall, number: number, visit: (key: Buffer) => void) {
  return forEachSliced(allKeys(call, number), call.allowance, visit);
}

function* allKeys(call: CommandCall, number: number): Generator<Buffer> {
  let { start, end } = buildNumberRange(number);
  for (let keys = [start]; keys.length > 0; ) {
    keys = call.services.store.table.keys({ start, end }, KEYS_PER_READ);
    yield* keys;
    start = keyAfter(keys.at(-1) ?? start);
  }
}

function missingEntries(call: CommandCall, index: IndexDefinition, document: BsonDocument): number {
  const idKey = encodeIdKey(document['_id']);
  const { table } = call.services.store;
  return buildIndexKeys(index, document).keys.filter(
    (key) => !table.get(buildEntryKey(index, key, idKey))?.equals(idKey),
  ).length;
}

/**
 * `{keepwatchBackup: 1, path}` on the admin database writes a consistent copy into one new file. Other clients are
 * served during the backup. The file appears only when it is complete. An existing file is never overwritten.
 */
async function backup(call: CommandCall): Promise<CommandResponse> {
  if (call.database !== 'admin') {
    throw new DatabaseError(13, 'keepwatchBackup may only be run against the admin database.');
  }
  const path = readText(call, 'path');
  if (!isAbsolute(path)) throw badValue('keepwatchBackup needs an absolute path');
  if (existsSync(path)) throw badValue(`the file ${path} already exists`);
  const unfinished = `${path}.unfinished-${process.pid}`;
  rmSync(unfinished, { force: true });
  try {
    await call.services.store.backup(unfinished);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw badValue(`the copy failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { path };
}

export const ADMIN_COMMANDS: Readonly<Record<string, Command>> = {
  dbStats: { fields: ['scale', 'freeStorage'], run: dbStats },
  dbstats: { fields: ['scale', 'freeStorage'], run: dbStats },
  collStats: { fields: ['scale'], run: collStats },
  validate: { fields: ['full', 'repair', 'metadata'], run: validate },
  keepwatchBackup: { fields: ['path'], run: backup },
};
