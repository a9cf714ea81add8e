// From a plan to the documents of an answer: sorted, cut and projected, one by one.
import { DatabaseError } from '../errors';
import type { Projector } from '../query/projection';
import { type SortField, sortKeyOf } from '../query/sort';
import type { Store } from '../storage/store';
import { encodeDocument } from '../values/bson-values';
import { fieldNames, pickFields } from '../values/pick-fields';
import type { Plan } from './plan';
import { type Row, type ScanCounts, scanRows } from './scan';
import { forEachSliced, mapWalk, type Walk } from './slices';

/** The most that a sort without an index may hold. */
export const SORT_BYTES_MAX = 100 * 1024 * 1024;

/** What is wanted of the rows that a plan finds. */
export interface Wanted {
  readonly sort: readonly SortField[];
  readonly skip: number;
  /** 0 for no limit. */
  readonly limit: number;
}

/** The rows of a plan in the wanted order, without the skipped ones and those past the limit. */
export async function wantedRows(
  store: Store,
  plan: Plan,
  wanted: Wanted,
  counts?: ScanCounts,
): Promise<Walk<Row>> {
  const end = wanted.limit === 0 ? Number.POSITIVE_INFINITY : wanted.skip + wanted.limit;
  const rows = scanRows(store, plan, counts);
  const ordered = plan.sorted ? rows : await sortRows(rows, wanted.sort, end);
  return cut(ordered, wanted.skip, end);
}

/** The rows from a position on up to another. */
export function* cut<Item>(
  items: Walk<Item>,
  skip: number,
  end: number,
): Generator<Item | undefined> {
  let position = 0;
  for (const item of items) {
    if (item === undefined || position >= skip) yield item;
    if (item !== undefined) position += 1;
    if (position >= end) return;
  }
}

/** The first row in the wanted order, found without giving way: for use inside a write. */
export function firstRow(store: Store, plan: Plan, sort: readonly SortField[]): Row | undefined {
  const rows = scanRows(store, plan);
  const sorter = new Sorter<Row>(1);
  for (const row of rows) {
    if (row && plan.sorted) return row;
    if (row) sorter.add(keyedRow(row, sort));
  }
  return sorter.finish()[0];
}

/** What is answered of each row: whole fields, or whatever the projector makes; else all of it. */
export interface Answered {
  readonly fields?: ReadonlySet<string> | undefined;
  readonly projector?: Projector | undefined;
}

/** The bytes to answer for each row; whole fields are taken without decoding the document. */
export function projectRows(rows: Walk<Row>, { fields, projector }: Answered): Walk<Buffer> {
  const names = fields && fieldNames(fields);
  if (names) return mapWalk(rows, (row) => pickFields(row.bytes, names));
  return mapWalk(rows, (row) => (projector ? encodeDocument(projector(row.document)) : row.bytes));
}

/** An item and the bytes to sort it by. */
export interface Keyed<Item> {
  readonly key: Buffer;
  readonly item: Item;
  readonly bytes: number;
}

async function sortRows(rows: Walk<Row>, sort: readonly SortField[], end: number): Promise<Row[]> {
  const sorter = new Sorter<Row>(end);
  await forEachSliced(rows, (row) => sorter.add(keyedRow(row, sort)));
  return sorter.finish();
}

function keyedRow(row: Row, sort: readonly SortField[]): Keyed<Row> {
  const key = sortKeyOf(sort, row.document);
  return { key, item: row, bytes: key.length + row.bytes.length };
}

/** Sorts in memory, equal keys in the order of arrival; keeps only what can still be among the first `end`. */
export class Sorter<Item> {
  private kept: Keyed<Item>[] = [];
  private bytes = 0;

  constructor(private readonly end: number) {}

  /** Takes one more item; 292 past {@link SORT_BYTES_MAX}. */
  add(keyed: Keyed<Item>): void {
    this.kept.push(keyed);
    this.bytes += keyed.bytes;
    if (this.kept.length < this.end * 2 + 1000 && this.bytes <= SORT_BYTES_MAX) return;
    this.prune();
    this.bytes = this.kept.reduce((sum, one) => sum + one.bytes, 0);
    if (this.bytes > SORT_BYTES_MAX) throw sortTooLarge();
  }

  private prune(): void {
    this.kept.sort((a, b) => Buffer.compare(a.key, b.key));
    this.kept = this.kept.slice(0, this.end);
  }

  finish(): Item[] {
    this.prune();
    return this.kept.map((keyed) => keyed.item);
  }
}

function sortTooLarge(): DatabaseError {
  return new DatabaseError(
    292,
    `Sort exceeded memory limit of ${SORT_BYTES_MAX} bytes, but the embedded database does not sort on disk`,
  );
}
