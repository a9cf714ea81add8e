// createIndexes: adds the requested indexes to the catalogue (the list of collections and indexes),
// and builds them if the collection has documents.
import { DatabaseError } from '../errors';
import { buildNumberRange, type Collection } from '../storage/catalog';
import { abandonBuilds, buildIndexes } from '../storage/index-builder';
import { hasSameRules, type IndexDefinition, parseIndex } from '../storage/index-definition';
import { type BsonDocument, isArray, isDocument } from '../values/bson-values';
import { compareValues } from '../values/compare';
import { type CommandCall, type CommandResponse, readCollectionName } from './command';

type NewIndex = Omit<IndexDefinition, 'number'>;

let lastBuild: Promise<unknown> = Promise.resolve();

/** Handles createIndexes. Calls run one after another, so that no index is built twice. */
export async function createIndexes(call: CommandCall): Promise<CommandResponse> {
  const name = readCollectionName(call);
  const wanted = readIndexes(call);
  const build = lastBuild.then(() => buildInTurn(call, name, wanted));
  lastBuild = build.catch(() => undefined);
  return build;
}

async function buildInTurn(
  call: CommandCall,
  name: string,
  wanted: readonly NewIndex[],
): Promise<CommandResponse> {
  const { services } = call;
  const begun = await services.store.write(() => beginIndexes(call, name, wanted));
  const { collection, response } = begun;
  if (!collection.indexes.some((index) => index.building)) return response;
  try {
    await buildIndexes(services, collection, () => call.allowance.assertTime());
  } finally {
    services.sweeper.start();
  }
  return response;
}

interface Begun {
  readonly collection: Collection;
  readonly response: BsonDocument;
}

/**
 * Adds the indexes to the catalogue. In an empty collection, they are ready at once. Otherwise, they still have to be
 * built.
 */
function beginIndexes(call: CommandCall, name: string, wanted: readonly NewIndex[]): Begun {
  const { catalog, store } = call.services;
  const before = catalog.find(call.database, name);
  if (before) abandonBuilds(call.services, before);
  let collection = catalog.findOrCreate(call.database, name);
  const numIndexesBefore = collection.indexes.length + 1;
  const building = store.table.keys(buildNumberRange(collection.number), 1).length > 0;
  for (const index of wanted) collection = addIndex(call, collection, { ...index, building });
  const numIndexesAfter = collection.indexes.length + 1;
  const response = {
    numIndexesBefore,
    numIndexesAfter,
    createdCollectionAutomatically: !before,
    ...(numIndexesAfter === numIndexesBefore ? { note: 'all indexes already exist' } : {}),
  };
  return { collection, response };
}

function readIndexes(call: CommandCall): NewIndex[] {
  const list = call.body['indexes'];
  if (!isArray(list) || list.length === 0) {
    throw new DatabaseError(2, 'Must specify at least one index to create');
  }
  return list.filter(isDocument).map(parseIndex);
}

function addIndex(call: CommandCall, collection: Collection, wanted: NewIndex): Collection {
  if (compareValues(wanted.pattern, { _id: 1 }) === 0) return collection;
  if (isPresent(collection, wanted)) return collection;
  const { catalog } = call.services;
  const index = { ...wanted, number: catalog.takeNumber() };
  return catalog.setIndexes(collection, [...collection.indexes, index]);
}

function isPresent(collection: Collection, wanted: NewIndex): boolean {
  for (const index of collection.indexes) {
    const samePattern = compareValues(index.pattern, wanted.pattern) === 0;
    const same = hasSameRules(index, wanted);
    if (index.name === wanted.name) {
      if (same) return true;
      throw new DatabaseError(
        86,
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${wanted.name}`,
      );
    }
    if (samePattern && compareValues(index.partialFilter, wanted.partialFilter) === 0) {
      throw new DatabaseError(85, `Index already exists with a different name: ${index.name}`);
    }
  }
  return false;
}
