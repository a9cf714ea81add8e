// Executes a plan in small parts, so that no LMDB cursor stays open after a turn of the event loop. As in MongoDB, a
// document that is inserted or deleted during the scan may or may not be returned.
import { DatabaseError } from '../errors';
import type { FilterNode } from '../query/filter-types';
import { compileNode } from '../query/matcher';
import { listTestedFields } from '../query/required-tests';
import { type Engine, recordKey } from '../storage/documents';
import type { Store } from '../storage/store';
import { type Entry, type KeyRange, keyAfter } from '../storage/table';
import { fieldNames } from '../values/pick-fields';
import { type Allowance, ITEM_BYTES } from './allowance';
import type { Plan } from './plan';
import { Row } from './row';

const FIRST_RUN = 16;
const LARGEST_RUN = 512;

/** The number of keys and documents that were read, for `explain`. */
export interface ScanCounts {
  keysExamined: number;
  docsExamined: number;
}

/** The store to read from, and the time and memory that reading may use. */
export interface Reader extends Engine {
  readonly allowance: Allowance;
  readonly counts?: ScanCounts;
}

const TESTED_PER_PAUSE = 64;

/** Returns the documents that the plan's filter selects, in the plan's order. */
export function* scanRows(reader: Reader, plan: Plan): Generator<Row | undefined> {
  const matches = plan.exact ? undefined : compileTest(plan.filter);
  let refused = 0;
  for (const bytes of readPlan(reader, plan)) {
    const row = new Row(bytes);
    if (!matches || matches(row)) yield row;
    else if (++refused % TESTED_PER_PAUSE === 0) yield undefined;
  }
}

/**
 * Compiles a test that decodes only the fields that the filter tests. Most documents are sent to the client without
 * being decoded completely.
 */
function compileTest(filter: FilterNode): (row: Row) => boolean {
  const matches = compileNode(filter);
  const names = fieldNames(listTestedFields(filter));
  return (row) => matches(row.fields(names));
}

/** Returns how many documents an exact plan selects, without reading them. */
export function countExact(store: Store, plan: Plan): number {
  return plan.ranges.reduce((sum, range) => sum + store.table.count(range), 0);
}

function* readPlan(reader: Reader, plan: Plan): Generator<Buffer> {
  const { store, counts = { keysExamined: 0, docsExamined: 0 } } = reader;
  if (plan.index) {
    yield* readByIndex({ ...reader, counts }, plan);
    return;
  }
  for (const range of plan.ranges) {
    if (plan.stage === 'IDHACK') {
      const found = store.table.get(range.start);
      counts.docsExamined += found ? 1 : 0;
      if (found) yield found;
      continue;
    }
    for (const entry of readRange(reader, plan, range)) {
      counts.docsExamined += 1;
      yield entry.value;
    }
  }
}

function* readByIndex(reader: Required<Reader>, plan: Plan): Generator<Buffer> {
  const { store, counts, allowance } = reader;
  const isRepeated = plan.index?.multikey ? repetitions(allowance) : () => false;
  for (const range of plan.ranges) {
    for (const entry of readRange(reader, plan, range)) {
      counts.keysExamined += 1;
      if (isRepeated(entry)) continue;
      const found = store.table.get(recordKey(plan.collection, entry.value));
      counts.docsExamined += found ? 1 : 0;
      if (found) yield found;
      else assertThere(reader, plan);
    }
  }
}

function repetitions(allowance: Allowance): (entry: Entry) => boolean {
  const seen = new Set<string>();
  return (entry) => {
    const id = entry.value.toString('latin1');
    if (seen.has(id)) return true;
    allowance.take(id.length + ITEM_BYTES);
    seen.add(id);
    return false;
  };
}

// Reads a range part by part. Entries that were read ahead may be outdated after a write, so they are then read again.
function* readRange(reader: Reader, plan: Plan, range: KeyRange): Generator<Entry> {
  const { store } = reader;
  let rest = range;
  let limit = FIRST_RUN;
  for (;;) {
    const { groupCount } = store;
    assertThere(reader, plan);
    const { entries, done } = store.table.read({ range: rest, reverse: plan.reverse, limit });
    let last: Entry | undefined;
    for (const entry of entries) {
      yield entry;
      last = entry;
      if (store.groupCount !== groupCount) break;
    }
    if (!last || (last === entries.at(-1) && done)) return;
    rest = cutBefore(rest, last.key, plan.reverse);
    limit = Math.min(limit * 4, LARGEST_RUN);
  }
}

// Throws if the collection or index was dropped during the scan. Otherwise, the client would take the documents that
// were read so far for the complete result.
function assertThere({ catalog }: Reader, { collection, index }: Plan): void {
  const current = catalog.current(collection);
  const isThere = !index || current?.indexes.some((one) => one.number === index.number);
  if (current && isThere) return;
  throw new DatabaseError(175, 'the collection or the index was dropped while it was read');
}

function cutBefore(range: KeyRange, key: Buffer, reverse: boolean): KeyRange {
  if (reverse) return { start: range.start, end: key };
  return { start: keyAfter(key), end: range.end };
}
