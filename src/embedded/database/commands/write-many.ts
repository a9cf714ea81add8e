// Updates and deletes of many documents: first the list of `_id`s, then one small transaction after another.
// Each document is atomic, the whole is not; others are served in between, as with MongoDB.
import { choosePlan } from '../planner/plan';
import { scanRows } from '../planner/scan';
import { forEachSliced } from '../planner/slices';
import { compileNode } from '../query/matcher';
import {
  deleteDocument,
  type Engine,
  idKeyOf,
  recordKey,
  type StoredDocument,
} from '../storage/documents';
import { decodeDocument } from '../values/bson-values';
import { type Selection, type UpdateOrder, updateFound } from './write-one';

const DOCUMENTS_PER_TRANSACTION = 250;

/** Counts of an update of many. */
export interface ManyUpdated {
  matched: number;
  modified: number;
}

/** Updates every document selected; one that stopped matching meanwhile is left alone. */
export async function updateMany(engine: Engine, order: UpdateOrder): Promise<ManyUpdated> {
  const totals = { matched: 0, modified: 0 };
  await forEachSelected(engine, order.selection, () => {
    const part = { matched: 0, modified: 0 };
    return {
      visit: (found) => {
        part.matched += 1;
        if (updateFound(engine, order, found).modified) part.modified += 1;
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
export async function deleteMany(engine: Engine, selection: Selection): Promise<number> {
  let total = 0;
  await forEachSelected(engine, selection, () => {
    let part = 0;
    return {
      visit: (found) => {
        deleteDocument(engine, selection.collection, found.document);
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
  readonly visit: (found: StoredDocument) => void;
  readonly done: () => void;
}

async function forEachSelected(
  engine: Engine,
  selection: Selection,
  begin: () => Portion,
): Promise<void> {
  const keys = await selectedKeys(engine, selection);
  const matches = compileNode(selection.filter);
  for (let at = 0; at < keys.length; at += DOCUMENTS_PER_TRANSACTION) {
    const portionKeys = keys.slice(at, at + DOCUMENTS_PER_TRANSACTION);
    const portion = await engine.store.write(() => {
      const current = begin();
      for (const key of portionKeys) {
        const bytes = engine.store.table.get(key);
        const document = bytes && decodeDocument(bytes);
        if (document && matches(document)) current.visit({ document, bytes });
      }
      return current;
    });
    portion.done();
  }
}

async function selectedKeys(engine: Engine, selection: Selection): Promise<Buffer[]> {
  const keys: Buffer[] = [];
  const plan = choosePlan(selection);
  await forEachSliced(scanRows(engine.store, plan), (row) => {
    keys.push(recordKey(selection.collection, idKeyOf(row.document['_id'])));
  });
  return keys;
}
