/** Tables for a terminal. The widest column is cut first. */
import { measureWidth, replaceControls } from './paint';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** True if the column must not be cut. Ids are useless if they are cut, so other columns are cut instead. */
  readonly isWhole?: boolean;
  /** Styles the cell after it was cut. The function must not change its width. */
  readonly look?: (text: string) => string;
}

const GAP = '  ';
const NARROWEST = 6;

/** Formats the rows as lines without trailing spaces. The first line contains the titles. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number | null,
): string {
  const texts = rows.map((row) => columns.map(({ cell }) => replaceControls(cell(row))));
  const widths = columns.map(({ title }, at) =>
    Math.max(measureWidth(title), ...texts.map((cells) => measureWidth(cells[at] ?? ''))),
  );
  if (width !== null) {
    const room = width - GAP.length * (columns.length - 1);
    const mayBeCut = widths.map((_, at) => columns[at]?.isWhole !== true);
    narrow(widths, { room, mayBeCut });
  }
  const lineOf = (cells: readonly string[], isHead: boolean): string =>
    cells
      .map((text, at) => {
        const padded = fitToWidth(text, widths[at] ?? 0);
        const look = columns[at]?.look;
        return look === undefined || isHead ? padded : padded.replace(text.trim(), look);
      })
      .join(GAP)
      .trimEnd();
  const head = lineOf(
    columns.map(({ title }) => title.toUpperCase()),
    true,
  );
  return [head, ...texts.map((cells) => lineOf(cells, false))].join('\n');
}

interface Bounds {
  readonly room: number;
  readonly mayBeCut: readonly boolean[];
}

function narrow(widths: number[], { room, mayBeCut }: Bounds): void {
  for (;;) {
    const total = widths.reduce((sum, width) => sum + width, 0);
    const widest = Math.max(...widths.filter((_, at) => mayBeCut[at] === true));
    if (total <= room || widest <= NARROWEST) return;
    widths[widths.findIndex((width, at) => width === widest && mayBeCut[at] === true)] = widest - 1;
  }
}

/** Cuts the text with an ellipsis or pads it to exactly this width. */
export function fitToWidth(text: string, width: number): string {
  if (measureWidth(text) <= width) return text + ' '.repeat(width - measureWidth(text));
  let cut = '';
  for (const character of text) {
    if (measureWidth(cut + character) > width - 1) break;
    cut += character;
  }
  return `${cut}…${' '.repeat(width - 1 - measureWidth(cut))}`;
}
