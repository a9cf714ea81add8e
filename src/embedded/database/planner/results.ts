// Turns a plan into the documents of a reply: sorts, limits and projects them.
import type { Projector } from '../query/projection';
import type { SortField } from '../query/sort';
import { encodeDocument } from '../values/bson-values';
import { fieldNames, pickFields } from '../values/pick-fields';
import type { Plan } from './plan';
import type { Row } from './row';
import { type Reader, scanRows } from './scan';
import { forEachSliced, mapWalk, type Walk } from './slices';
import { Sorter } from './sorter';

/** The rows of a plan to return, and their order. */
export interface Wanted {
  readonly sort: readonly SortField[];
  readonly skip: number;
  /** Maximum number of rows. 0 means no limit. */
  readonly limit: number;
}

/** Returns the rows of a plan in the wanted order, without the skipped rows and the rows beyond the limit. */
export async function readWantedRows(
  reader: Reader,
  plan: Plan,
  wanted: Wanted,
): Promise<Walk<Row>> {
  const end = wanted.limit === 0 ? Number.POSITIVE_INFINITY : wanted.skip + wanted.limit;
  const rows = scanRows(reader, plan);
  if (plan.sorted) return cut(rows, wanted.skip, end);
  const sorter = new Sorter(wanted.sort, end, reader.allowance);
  await forEachSliced(rows, reader.allowance, (row) => sorter.add(row));
  return cut(sorter.finish(), wanted.skip, end);
}

/** Returns the items from position `skip` (inclusive) up to position `end` (exclusive). */
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

/** Returns the first row in the wanted order. Must not pause for other connections, because it runs inside a write. */
export function findFirstRow(
  reader: Reader,
  plan: Plan,
  sort: readonly SortField[],
): Row | undefined {
  const sorter = new Sorter(sort, 1, reader.allowance);
  for (const row of scanRows(reader, plan)) {
    if (!row) reader.allowance.assertTime();
    else if (plan.sorted) return row;
    else sorter.add(row);
  }
  const [first] = sorter.finish();
  return first;
}

/**
 * Which part of each row is sent: the named fields, or the result of the projector. If neither is given, the whole
 * document is sent.
 */
export interface Projection {
  readonly fields?: ReadonlySet<string> | undefined;
  readonly projector?: Projector | undefined;
}

/** Returns the bytes to send for each row. Whole fields are extracted without decoding the document. */
export function projectRows(rows: Walk<Row>, { fields, projector }: Projection): Walk<Buffer> {
  const names = fields && fieldNames(fields);
  if (names) return mapWalk(rows, (row) => pickFields(row.bytes, names));
  return mapWalk(rows, (row) => (projector ? encodeDocument(projector(row.document)) : row.bytes));
}
