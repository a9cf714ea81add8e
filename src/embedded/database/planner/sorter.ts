// Sorts rows in memory. Keeps only the stored bytes and the sort key of each row.

import { encodeSortKey, listSortedFields, type SortField } from '../query/sort';
import type { FieldNames } from '../values/pick-fields';
import { fieldNames } from '../values/pick-fields';
import { type Allowance, ITEM_BYTES } from './allowance';
import { Row } from './row';

interface Kept {
  /** The sort key as a string with one character per byte, because strings compare faster than buffers. */
  readonly key: string;
  readonly bytes: Buffer;
}

const SPARE_ROWS = 1000;
const SPARE_BYTES = 4 * 1024 * 1024;

/** Sorts rows stably, and keeps only the first `end` rows. */
export class Sorter {
  private kept: Kept[] = [];
  private spareBytes = 0;
  private readonly names: FieldNames;

  constructor(
    private readonly sort: readonly SortField[],
    private readonly end: number,
    private readonly allowance: Allowance,
  ) {
    this.names = fieldNames(listSortedFields(sort));
  }

  /** Adds a row. Throws 292 if there is not enough memory. */
  add(row: Row): void {
    const key = encodeSortKey(this.sort, row.fields(this.names)).toString('latin1');
    const kept = { key, bytes: row.bytes };
    this.allowance.take(measureWeight(kept));
    this.kept.push(kept);
    this.spareBytes += measureWeight(kept);
    if (this.kept.length <= this.end) return;
    if (this.kept.length > this.end * 2 + SPARE_ROWS || this.spareBytes > SPARE_BYTES) this.prune();
  }

  private prune(): void {
    this.kept.sort(byKey);
    for (const kept of this.kept.splice(this.end)) this.allowance.giveBack(measureWeight(kept));
    this.spareBytes = 0;
  }

  /** Returns the rows in order. */
  *finish(): Generator<Row> {
    this.prune();
    for (const { bytes } of this.kept) yield new Row(bytes);
  }
}

function measureWeight({ key, bytes }: Kept): number {
  return key.length + bytes.length + ITEM_BYTES;
}

function byKey(a: Kept, b: Kept): number {
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}
