/** Rows of forms, for maps such as headers and variables, and for lists that people can reorder. Pure. */
import type { JsonValue } from '../../../../contracts/definition';
import { readRecord, readText } from '../../../../schemas/loose';
import { newRowId } from '../assertions/assertion-draft';

export interface HeaderRow {
  readonly rowId: string;
  readonly name: string;
  readonly value: string;
}

export interface VariableRow extends HeaderRow {
  readonly isSecret: boolean;
  /** True means that the service has stored a value. If the field stays empty, the service keeps this value. */
  readonly isStored: boolean;
}

export function newHeaderRow(name = '', value = ''): HeaderRow {
  return { rowId: newRowId(), name, value };
}

export function newVariableRow(): VariableRow {
  return { ...newHeaderRow(), isSecret: false, isStored: false };
}

/** False if the row is empty. Empty rows are left out of the body. */
export function hasContent({ name, value }: HeaderRow): boolean {
  return name.trim() !== '' || value !== '';
}

/** Returns a row for each entry of the map. Values that are not text become empty. */
export function readRows(map: unknown): readonly HeaderRow[] {
  return Object.entries(readRecord(map)).map(([name, value]) =>
    newHeaderRow(name, readText(value)),
  );
}

export function toRecord(rows: readonly HeaderRow[]): Record<string, string> {
  return Object.fromEntries(rows.filter(hasContent).map(({ name, value }) => [name.trim(), value]));
}

export function toVariables(rows: readonly VariableRow[]): Record<string, JsonValue> {
  return Object.fromEntries(
    rows.filter(hasContent).map((row) => [row.name.trim(), toVariable(row)]),
  );
}

function toVariable({ value, isSecret, isStored }: VariableRow): JsonValue {
  if (!isSecret) return value;
  return isStored && value === '' ? { secret: true } : { value, secret: true };
}

/** Returns the names that occur more than once, because the body could keep only one value of each. */
export function doubledNames(rows: readonly HeaderRow[]): readonly string[] {
  const names = rows.map(({ name }) => name.trim()).filter((name) => name !== '');
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

/** Moves one row to another index. */
export function moveRow<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const row = rows[from];
  return row === undefined ? rows : rows.toSpliced(from, 1).toSpliced(to, 0, row);
}
