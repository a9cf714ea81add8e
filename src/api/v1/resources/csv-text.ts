/** Lines of CSV (RFC 4180). A text that a spreadsheet would treat as a formula gets a leading apostrophe. */

type Cell = string | number | boolean | null;

/** Columns by name, in the order of the file. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => Cell>>;

/**
 * Matches the start of a formula, also after white space and in the full-width characters that some spreadsheets
 * accept.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** Returns the header line: the names of the columns, ending in a line break. */
export function formatCsvHead<Item>(columns: Columns<Item>): string {
  return formatLine(Object.keys(columns));
}

export function formatCsvLine<Item>(columns: Columns<Item>, item: Item): string {
  return formatLine(Object.values(columns).map((read) => read(item)));
}

function formatLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const plain = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
