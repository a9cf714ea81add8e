// Updates and deletes of many documents, one small transaction after another.
// Each document is atomic, the whole is not; others are served in between, as with MongoDB.

import type { Allowance } from '../planner/allowance';
import { choosePlan } from '../planner/plan';
import { type Reader, scanRows } from '../planner/scan';
import { forEachSliced, goOn, mapWalk } from '../planner/slices';
import { compileNode } from '../query/matcher';
import type { Collection } from '../storage/catalog';
import { deleteDocument, idKeyOf, recordKey, type StoredDocument } from '../storage/documents';
import { decodeDocument } from '../values/bson-values';
import { fieldNames } from '../values/pick-fields';
import { type Selection, type UpdateOrder, updateFound } from './write-one';

const DOCUMENTS_PER_TRANSACTION = 250;
/** What a key in a list costs beside its own bytes. */
const KEY_BYTES = 64;
const ID_FIELD = fieldNames(['_id']);

/** Counts of an update of many. */
export interface ManyUpdated {
  matched: number;
  modified: number;
}

/** Updates every document selected; one that stopped matching meanwhile is left alone. */
export async function updateMany(engine: Reader, order: UpdateOrder): Promise<ManyUpdated> {
  const totals = { matched: 0, modified: 0 };
  await forEachSelected(engine, order.selection, () => {
    const part = { matched: 0, modified: 0 };
    return {
      visit: (found, collection) => {
        part.matched += 1;
        const current = { ...order, selection: { ...order.selection, collection } };
        if (updateFound(engine, current, found).modified) part.modified += 1;
      },
      done: () => {
        totals.matched += part.matched;
        totals.modified += part.modified;
      },
    };
  });
  return totals;
}

/** Deletes every document selected and answers how many there were. */
export async function deleteMany(engine: Reader, selection: Selection): Promise<number> {
  let total = 0;
  await forEachSelected(engine, selection, () => {
    let part = 0;
    return {
      visit: (found, collection) => {
        deleteDocument(engine, collection, found.document);
        part += 1;
      },
      done: () => {
        total += part;
      },
    };
  });
  return total;
}

/** The work of one transaction: a second attempt begins with a new one. */
interface Portion {
  readonly visit: (found: StoredDocument, collection: Collection) => void;
  readonly done: () => void;
}

async function forEachSelected(
  reader: Reader,
  selection: Selection,
  begin: () => Portion,
): Promise<void> {
  const matches = compileNode(selection.filter);
  for await (const keys of portionsOf(reader, selection)) {
    const portion = await reader.store.write(() => {
      const current = begin();
      const collection = reader.catalog.current(selection.collection);
      for (const key of collection ? keys : []) {
        const bytes = reader.store.table.get(key);
        const document = bytes && decodeDocument(bytes);
        if (collection && document && matches(document)) {
          current.visit({ document, bytes }, collection);
        }
      }
      return current;
    });
    portion.done();
  }
}

// A walk along an index could meet a document again that an update has moved there: then all keys come
// first. Along `_id` nothing ever moves.
async function* portionsOf(reader: Reader, selection: Selection): AsyncGenerator<Buffer[]> {
  const plan = choosePlan(selection);
  const keys = mapWalk(scanRows(reader, plan), (row) =>
    recordKey(selection.collection, idKeyOf(row.fields(ID_FIELD)['_id'])),
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
  await forEachSliced(goOn(keys), allowance, (key) => {
    allowance.take(key.length + KEY_BYTES);
    taken.push(key.toString('latin1'));
    return taken.length < limit;
  });
  return taken;
}
