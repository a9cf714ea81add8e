// Reads what a plan says, in small runs, so that no cursor of LMDB outlives one turn of the event loop.
// A document deleted between two runs is skipped; one inserted may or may not be seen, as in MongoDB.
import type { FilterNode } from '../query/filter-types';
import { compileNode } from '../query/matcher';
import { testedFields } from '../query/required-tests';
import { recordKey } from '../storage/documents';
import type { Entry, KeyRange, Store } from '../storage/store';
import { type BsonDocument, decodeDocument } from '../values/bson-values';
import { fieldNames, pickFields } from '../values/pick-fields';
import type { Plan } from './plan';

const FIRST_RUN = 16;
const LARGEST_RUN = 512;

/** A document found: its bytes, and its fields once somebody asks. */
export class Row {
  private decoded: BsonDocument | undefined;

  constructor(readonly bytes: Buffer) {}

  get document(): BsonDocument {
    this.decoded ??= decodeDocument(this.bytes);
    return this.decoded;
  }
}

/** How much was read, for `explain`. */
export interface ScanCounts {
  keysExamined: number;
  docsExamined: number;
}

const TESTED_PER_PAUSE = 64;

/** The documents that the plan's filter selects, in the plan's order. */
export function* scanRows(
  store: Store,
  plan: Plan,
  counts: ScanCounts = { keysExamined: 0, docsExamined: 0 },
): Generator<Row | undefined> {
  const matches = plan.exact ? undefined : compileTest(plan.filter);
  let refused = 0;
  for (const bytes of readPlan(store, plan, counts)) {
    const row = new Row(bytes);
    if (!matches || matches(bytes)) yield row;
    else if (++refused % TESTED_PER_PAUSE === 0) yield undefined;
  }
}

/** Decodes only what the filter looks at, since most of what is tested is answered as it is stored. */
function compileTest(filter: FilterNode): (bytes: Buffer) => boolean {
  const matches = compileNode(filter);
  const names = fieldNames(testedFields(filter));
  return (bytes) => matches(decodeDocument(pickFields(bytes, names)));
}

/** How many documents an exact plan holds, without reading them. */
export function countExact(store: Store, plan: Plan): number {
  return plan.ranges.reduce((sum, range) => sum + store.table.count(range), 0);
}

function* readPlan(store: Store, plan: Plan, counts: ScanCounts): Generator<Buffer> {
  if (plan.index) {
    yield* readByIndex(store, plan, counts);
    return;
  }
  for (const range of plan.ranges) {
    if (plan.stage === 'IDHACK') {
      const found = store.table.get(range.start);
      counts.docsExamined += found ? 1 : 0;
      if (found) yield found;
      continue;
    }
    for (const entry of readRange(store, plan, range)) {
      counts.docsExamined += 1;
      yield entry.value;
    }
  }
}

function* readByIndex(store: Store, plan: Plan, counts: ScanCounts): Generator<Buffer> {
  const seen = plan.index?.multikey ? new Set<string>() : undefined;
  for (const range of plan.ranges) {
    for (const entry of readRange(store, plan, range)) {
      counts.keysExamined += 1;
      if (seen && !isNew(seen, entry)) continue;
      const found = store.table.get(recordKey(plan.collection, entry.value));
      counts.docsExamined += found ? 1 : 0;
      if (found) yield found;
    }
  }
}

function isNew(seen: Set<string>, entry: Entry): boolean {
  const id = entry.value.toString('latin1');
  if (seen.has(id)) return false;
  seen.add(id);
  return true;
}

// Entries that were read before somebody wrote are not trusted: the rest is read anew.
function* readRange(store: Store, plan: Plan, range: KeyRange): Generator<Entry> {
  let rest = range;
  let limit = FIRST_RUN;
  for (;;) {
    const { commits } = store;
    const entries = store.table.read({ range: rest, reverse: plan.reverse, limit });
    let last: Entry | undefined;
    for (const entry of entries) {
      yield entry;
      last = entry;
      if (store.commits !== commits) break;
    }
    if (!last || (last === entries.at(-1) && entries.length < limit)) return;
    rest = restAfter(rest, last.key, plan.reverse);
    limit = Math.min(limit * 4, LARGEST_RUN);
  }
}

function restAfter(range: KeyRange, key: Buffer, reverse: boolean): KeyRange {
  if (reverse) return { start: range.start, end: key };
  return { start: Buffer.concat([key, Buffer.from([0])]), end: range.end };
}
