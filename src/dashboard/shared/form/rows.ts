/** Headers, variables and bodies as they are typed, and as /v1 takes them. Pure. */
import type { JsonValue, RequestBody } from '../../../contracts/definition';
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

export type BodyMode = 'none' | 'json' | 'text' | 'form' | 'multipart' | 'graphql';

/** Those that are typed as JSON, but for the body itself. */
const KINDS = ['form', 'multipart', 'graphql'] as const;

export interface BodyDraft {
  readonly mode: BodyMode;
  readonly text: string;
}

export function newHeaderRow(name = '', value = ''): HeaderRow {
  return { rowId: newRowId(), name, value };
}

export function newVariableRow(name = ''): VariableRow {
  return { ...newHeaderRow(name), isSecret: false, isStored: false };
}

/** Rows without a name and a value are left out: they were not begun. */
export function toHeaders(rows: readonly HeaderRow[]): Record<string, string> {
  const given = rows.filter(({ name, value }) => name !== '' || value !== '');
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

export function fromHeaders(headers: Readonly<Record<string, string>>): HeaderRow[] {
  return Object.entries(headers).map(([name, value]) => newHeaderRow(name, value));
}

export type GivenVariable = string | { readonly value?: string; readonly secret?: boolean };

export function toVariables(rows: readonly VariableRow[]): Record<string, JsonValue> {
  const given = rows.filter(({ name, value }) => name !== '' || value !== '');
  return Object.fromEntries(given.map((row) => [row.name, variableOf(row)]));
}

function variableOf({ value, isSecret, isStored }: VariableRow): JsonValue {
  if (!isSecret) return value;
  return isStored && value === '' ? { secret: true } : { value, secret: true };
}

export function fromVariables(variables: Readonly<Record<string, GivenVariable>>): VariableRow[] {
  return Object.entries(variables).map(([name, given]) => ({
    rowId: newRowId(),
    name,
    value: typeof given === 'string' ? given : (given.value ?? ''),
    isSecret: typeof given !== 'string' && given.secret === true,
    isStored: typeof given !== 'string' && given.value === undefined,
  }));
}

/** Names that stand more than once: only one of them could be kept. */
export function doubledNames(rows: readonly HeaderRow[]): readonly string[] {
  const names = rows.map(({ name }) => name).filter((name) => name !== '');
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

/** Where in a request the body stands. */
export function bodyField(mode: BodyMode): keyof RequestBody {
  return KINDS.find((kind) => kind === mode) ?? 'body';
}

/** Throws a SyntaxError with what is wrong when the JSON is none. */
export function toBody({ mode, text }: BodyDraft): JsonValue {
  if (mode === 'none' || text === '') return null;
  if (mode === 'text') return text;
  const parsed: JsonValue = JSON.parse(text);
  return parsed;
}

/** The field that holds the body, and no other; throws as `toBody`. */
export function toBodyFields(draft: BodyDraft): Partial<Record<keyof RequestBody, JsonValue>> {
  const value = toBody(draft);
  return value === null ? {} : { [bodyField(draft.mode)]: value };
}

/** Whatever of the four kinds a request has. */
export function fromBody(request: Partial<Record<keyof RequestBody, unknown>>): BodyDraft {
  const kind = KINDS.find((known) => request[known] !== null && request[known] !== undefined);
  if (kind !== undefined) return { mode: kind, text: JSON.stringify(request[kind], null, 2) };
  const { body } = request;
  if (body === null || body === undefined) return { mode: 'none', text: '' };
  if (typeof body === 'string') return { mode: 'text', text: body };
  return { mode: 'json', text: JSON.stringify(body, null, 2) };
}

/** What is wrong with a body that is to be JSON, and where; undefined when nothing is. */
export function problemOfBody(draft: BodyDraft): string | undefined {
  try {
    toBody(draft);
    return undefined;
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (at === undefined) return 'must be valid JSON';
    const before = draft.text.slice(0, Number(at)).split('\n');
    return `must be valid JSON: see line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  }
}
