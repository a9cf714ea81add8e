/** Headers and variables as they are typed, and as /v1 takes them. Pure. */
import type { JsonValue } from '../../../contracts/definition';
import { newRowId } from './assertion-draft';

export interface HeaderRow {
  readonly rowId: string;
  readonly name: string;
  readonly value: string;
}

export interface VariableRow extends HeaderRow {
  readonly isSecret: boolean;
  /** True: the service keeps a value that it does not show; left empty, it stays. */
  readonly isStored: boolean;
}

export function newHeaderRow(name = '', value = ''): HeaderRow {
  return { rowId: newRowId(), name, value };
}

export function newVariableRow(): VariableRow {
  return { ...newHeaderRow(), isSecret: false, isStored: false };
}

/** False: nobody has begun to fill the row in, and it stays out of the body. */
export function isBegun({ name, value }: HeaderRow): boolean {
  return name.trim() !== '' || value !== '';
}

export function toHeaders(rows: readonly HeaderRow[]): Record<string, string> {
  return Object.fromEntries(rows.filter(isBegun).map(({ name, value }) => [name.trim(), value]));
}

export function toVariables(rows: readonly VariableRow[]): Record<string, JsonValue> {
  return Object.fromEntries(rows.filter(isBegun).map((row) => [row.name.trim(), variableOf(row)]));
}

function variableOf({ value, isSecret, isStored }: VariableRow): JsonValue {
  if (!isSecret) return value;
  return isStored && value === '' ? { secret: true } : { value, secret: true };
}

/** Names that stand more than once: only one of them could be kept. */
export function doubledNames(rows: readonly HeaderRow[]): readonly string[] {
  const names = rows.map(({ name }) => name.trim()).filter((name) => name !== '');
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
