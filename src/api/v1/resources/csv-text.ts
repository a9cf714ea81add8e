/**
 * Lines of CSV as RFC 4180 has them. Text that a spreadsheet would take for a formula is made plain
 * by an apostrophe in front, since targets choose what failures say.
 */

type Cell = string | number | boolean | null;

/** By name, in the order of the file. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => Cell>>;

/** Also behind white space, and in the wide forms that some spreadsheets accept. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** The names of the columns, with the end of the line. */
export function csvHead<Item>(columns: Columns<Item>): string {
  return lineOf(Object.keys(columns));
}

/** One item, with the end of the line. */
export function csvLine<Item>(columns: Columns<Item>, item: Item): string {
  return lineOf(Object.values(columns).map((read) => read(item)));
}

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const plain = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
