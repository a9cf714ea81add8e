// Sizes, checks and the copy of the whole store: what an operator asks for.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { badValue, DatabaseError } from '../errors';
import { forEachSliced } from '../planner/slices';
import { type Collection, rangeOfNumber } from '../storage/catalog';
import { documentsOf, entryKey, idKeyOf } from '../storage/documents';
import type { IndexDefinition } from '../storage/index-definition';
import { indexKeysOf } from '../storage/index-keys';
import type { BsonDocument } from '../values/bson-values';
import {
  type Answer,
  type Command,
  type CommandCall,
  collectionName,
  longOf,
  textArgument,
} from './command';

function dbStats(call: CommandCall): Answer {
  const { catalog, store } = call.services;
  const collections = catalog.list(call.database);
  const objects = collections.reduce((sum, one) => sum + documentCount(call, one), 0);
  const indexes = collections.reduce((sum, one) => sum + one.indexes.length + 1, 0);
  return {
    db: call.database,
    collections: collections.length,
    views: 0,
    objects: longOf(objects),
    indexes,
    storageSize: longOf(store.usedBytes()),
    totalSize: longOf(store.usedBytes()),
    scaleFactor: 1,
  };
}

function documentCount(call: CommandCall, collection: Collection): number {
  return call.services.store.table.count(rangeOfNumber(collection.number));
}

async function collStats(call: CommandCall): Promise<Answer> {
  const name = collectionName(call);
  const collection = call.services.catalog.find(call.database, name);
  const ns = `${call.database}.${name}`;
  if (!collection) return { ns, size: 0, count: 0, storageSize: 0, nindexes: 0 };
  let size = 0;
  await forEachSliced(documentsOf(call.services, collection), call.allowance, ({ bytes }) => {
    size += bytes.length;
  });
  const count = documentCount(call, collection);
  const avgObjSize = count === 0 ? 0 : Math.round(size / count);
  return { ns, size: longOf(size), count, avgObjSize, nindexes: collection.indexes.length + 1 };
}

/** Counts documents without their entries, and entries without their document. */
async function validate(call: CommandCall): Promise<Answer> {
  const collection = call.services.catalog.require(call.database, collectionName(call));
  const errors: string[] = [];
  const expected = new Map<IndexDefinition, number>();
  let nrecords = 0;
  const { commits } = call.services.store;
  for (const { document } of documentsOf(call.services, collection)) {
    nrecords += 1;
    for (const index of collection.indexes) {
      const missing = missingEntries(call, index, document);
      expected.set(index, (expected.get(index) ?? 0) + indexKeysOf(index, document).keys.length);
      if (missing > 0) errors.push(`${index.name}: ${missing} entries missing`);
    }
  }
  const keysPerIndex: BsonDocument = { _id_: nrecords };
  for (const index of collection.indexes) {
    const count = call.services.store.table.count(rangeOfNumber(index.number));
    keysPerIndex[index.name] = count;
    const extra = count - (expected.get(index) ?? 0);
    if (extra !== 0) errors.push(`${index.name}: ${extra} entries too many`);
  }
  if (commits !== call.services.store.commits) throw badValue('validate was overtaken by a write');
  return {
    ns: collection.namespace,
    nrecords,
    nIndexes: collection.indexes.length + 1,
    keysPerIndex,
    valid: errors.length === 0,
    errors: errors.slice(0, 100),
  };
}

function missingEntries(call: CommandCall, index: IndexDefinition, document: BsonDocument): number {
  const idKey = idKeyOf(document['_id']);
  const { store } = call.services;
  return indexKeysOf(index, document).keys.filter((key) => {
    const owner = store.table.get(entryKey(index, key, idKey));
    return !owner?.equals(idKey);
  }).length;
}

/**
 * `{keepwatchBackup: 1, path}` on the database admin: a consistent copy as one file, made while serving.
 * The file appears under its name only when it is whole; an existing one is never overwritten.
 */
async function backup(call: CommandCall): Promise<Answer> {
  if (call.database !== 'admin') {
    throw new DatabaseError(13, 'keepwatchBackup may only be run against the admin database.');
  }
  const path = textArgument(call, 'path');
  if (!isAbsolute(path)) throw badValue('keepwatchBackup needs an absolute path');
  if (existsSync(path)) throw badValue(`the file ${path} exists already`);
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

/** The commands of an operator. */
export const ADMIN_COMMANDS: Readonly<Record<string, Command>> = {
  dbStats: { fields: ['scale', 'freeStorage'], run: dbStats },
  dbstats: { fields: ['scale', 'freeStorage'], run: dbStats },
  collStats: { fields: ['scale'], run: collStats },
  validate: { fields: ['full', 'repair', 'metadata'], run: validate },
  keepwatchBackup: { fields: ['path'], run: backup },
};
