// Updates and deletes many documents in many small transactions. As in MongoDB, the write of each document is atomic,
// but the whole command is not.

import { DatabaseError } from '../errors';
import type { Allowance } from '../planner/allowance';
import { choosePlan } from '../planner/plan';
import { type Reader, scanRows } from '../planner/scan';
import { continueWalk, forEachSliced, mapWalk } from '../planner/slices';
import { compileNode } from '../query/matcher';
import type { Collection } from '../storage/catalog';
import { deleteDocument, encodeIdKey, recordKey, type StoredDocument } from '../storage/documents';
import { decodeDocument } from '../values/bson-values';
import { fieldNames } from '../values/pick-fields';
import { type Selection, type UpdateOrder, updateFound } from './write-one';

const DOCUMENTS_PER_TRANSACTION = 250;
/** Bytes of memory that a list needs for a key, in addition to the bytes of the key itself. */
const KEY_BYTES = 64;
const ID_FIELD = fieldNames(['_id']);

/** The counts of an update of many documents. */
export interface ManyUpdated {
  matched: number;
  modified: number;
}

/** Updates every selected document that still matches at the moment of its update. */
export async function updateMany(engine: Reader, order: UpdateOrder): Promise<ManyUpdated> {
  const totals = { matched: 0, modified: 0 };
  await forEachSelected(engine, order.selection, {
    shrinks: false,
    visit: (found, collection) => {
      const current = { ...order, selection: { ...order.selection, collection } };
      return updateFound(engine, current, found).modified;
    },
    done: (portion) => {
      totals.matched += portion.length;
      totals.modified += portion.filter(Boolean).length;
    },
  });
  return totals;
}

/** Deletes every selected document and returns their number. */
export async function deleteMany(engine: Reader, selection: Selection): Promise<number> {
  let total = 0;
  await forEachSelected(engine, selection, {
    shrinks: true,
    visit: (found, collection) => {
      deleteDocument(engine, collection, found.document);
      return true;
    },
    done: (portion) => {
      total += portion.length;
    },
  });
  return total;
}

interface Work {
  readonly shrinks: boolean;
  /**
   * Handles one document inside a transaction. The transaction may be undone and repeated. Returns true if the document
   * has changed.
   */
  readonly visit: (found: StoredDocument, collection: Collection) => boolean;
  /** Called once per transaction, after the transaction is on disk. */
  readonly done: (portion: readonly boolean[]) => void;
}

async function forEachSelected(reader: Reader, selection: Selection, work: Work): Promise<void> {
  const matches = compileNode(selection.filter);
  const attempt = (keys: readonly Buffer[]): boolean[] => {
    const collection = reader.catalog.current(selection.collection);
    return (collection ? keys : []).flatMap((key) => {
      const bytes = reader.store.table.get(key);
      const document = bytes && decodeDocument(bytes);
      if (!collection || !document || !matches(document)) return [];
      return [work.visit({ document, bytes }, collection)];
    });
  };
  // If the disk is full, writes the keys in two halves, because a smaller transaction may still fit.
  const write = async (keys: readonly Buffer[]): Promise<void> => {
    try {
      work.done(await reader.store.write(() => attempt(keys), { shrinks: work.shrinks }));
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== 14031 || keys.length < 2) throw error;
      await write(keys.slice(0, keys.length >> 1));
      await write(keys.slice(keys.length >> 1));
    }
  };
  for await (const keys of readPortions(reader, selection)) await write(keys);
}

// Reads the keys of the selected documents in portions. A scan of an index collects all keys before the first update,
// because an update can move a document within the index, so that the scan would find it again. A scan by `_id` need
// not do so, because `_id` never changes.
async function* readPortions(reader: Reader, selection: Selection): AsyncGenerator<Buffer[]> {
  const plan = choosePlan(selection);
  const keys = mapWalk(scanRows(reader, plan), (row) =>
    recordKey(selection.collection, encodeIdKey(row.fields(ID_FIELD)['_id'])),
  );
  const limit = plan.index ? Number.POSITIVE_INFINITY : DOCUMENTS_PER_TRANSACTION;
  for (;;) {
    const portion = await takeKeys(keys, limit, reader.allowance);
    for (let at = 0; at < portion.length; at += DOCUMENTS_PER_TRANSACTION) {
      yield portion
        .slice(at, at + DOCUMENTS_PER_TRANSACTION)
        .map((key) => Buffer.from(key, 'latin1'));
    }
    if (portion.length < limit) return;
    for (const key of portion) reader.allowance.giveBack(key.length + KEY_BYTES);
  }
}

async function takeKeys(
  keys: Iterator<Buffer | undefined>,
  limit: number,
  allowance: Allowance,
): Promise<string[]> {
  const taken: string[] = [];
  await forEachSliced(continueWalk(keys), allowance, (key) => {
    allowance.take(key.length + KEY_BYTES);
    taken.push(key.toString('latin1'));
    return taken.length < limit;
  });
  return taken;
}
