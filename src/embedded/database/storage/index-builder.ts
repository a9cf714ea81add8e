// Builds indexes while other clients are served. First, the indexes are added to the catalogue, so that every write
// from then on maintains them. Then the entries of existing documents are added in short steps.
import { DatabaseError } from '../errors';
import { decodeDocument } from '../values/bson-values';
import { buildNumberRange, type Collection } from './catalog';
import { addEntries, type Engine } from './documents';
import type { IndexDefinition } from './index-definition';
import { keyAfter } from './table';

const SLICE_MS = 8;

/** Builds the indexes that are marked as being built. On an error, removes all of them. */
export async function buildIndexes(
  engine: Engine,
  collection: Collection,
  assertTime: () => void,
): Promise<void> {
  const { store, catalog } = engine;
  try {
    let start: Buffer | undefined = buildNumberRange(collection.number).start;
    while (start) {
      const from: Buffer = start;
      assertTime();
      start = await store.write(() => buildSlice(engine, collection, from));
    }
  } catch (error) {
    await store.write(() => abandonBuilds(engine, catalog.current(collection)), { shrinks: true });
    throw error;
  }
}

/**
 * Adds entries for a few milliseconds and returns the next key. After the last entry, marks the indexes as ready and
 * returns undefined.
 */
function buildSlice(
  engine: Engine,
  { number, namespace }: Collection,
  from: Buffer,
): Buffer | undefined {
  const { end } = buildNumberRange(number);
  const sliceEnd = performance.now() + SLICE_MS;
  for (const { key, value } of engine.store.table.entries({ start: from, end })) {
    const document = decodeDocument(value);
    // The description of the collection is read again for each document, because the previous document may have changed
    // it: an index with arrays is marked as multikey.
    const collection = requireCurrent(engine, { number, namespace });
    for (const index of buildingIn(collection)) addEntries(engine, collection, index, document);
    if (performance.now() > sliceEnd) return keyAfter(key);
  }
  const collection = requireCurrent(engine, { number, namespace });
  engine.catalog.setIndexes(
    collection,
    collection.indexes.map((index) => ({ ...index, building: false })),
  );
  return undefined;
}

function buildingIn({ indexes }: Collection): readonly IndexDefinition[] {
  return indexes.filter((index) => index.building);
}

function requireCurrent(
  engine: Engine,
  wanted: Pick<Collection, 'number' | 'namespace'>,
): Collection {
  const collection = engine.catalog.current(wanted);
  if (collection && buildingIn(collection).length > 0) return collection;
  throw new DatabaseError(276, 'the index was dropped while it was built');
}

/** Removes the unfinished indexes of a collection from the catalogue. Must be called inside a write. */
export function abandonBuilds({ catalog }: Engine, collection: Collection | undefined): void {
  const unfinished = collection ? buildingIn(collection) : [];
  if (!collection || unfinished.length === 0) return;
  catalog.setIndexes(
    collection,
    collection.indexes.filter((index) => !index.building),
  );
  catalog.discard(unfinished.map((index) => index.number));
}
