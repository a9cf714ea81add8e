/**
 * The body of a request, in the form and in the format of the API. Each kind of body keeps its typed content while
 * another kind is chosen. Pure.
 */
import type { JsonValue, RequestBody } from '../../../contracts/definition';
import { parseJsonOrText } from '../../../contracts/json';
import { readList, readRecord, readText } from '../../../schemas/loose';
import { newRowId } from '../form/assertions/assertion-draft';
import { type HeaderRow, hasContent, newHeaderRow, readRows, toRecord } from '../form/rows/rows';

export const BODY_MODES = ['none', 'json', 'text', 'form', 'multipart', 'graphql'] as const;
export type BodyMode = (typeof BODY_MODES)[number];

export const BODY_WORDS: Readonly<Record<BodyMode, string>> = {
  none: 'No body',
  json: 'JSON',
  text: 'Text',
  form: 'Form',
  multipart: 'Multipart',
  graphql: 'GraphQL',
};

/** A part of a multipart body. */
export interface PartRow extends HeaderRow {
  /** True if the value is bytes, encoded as base64. */
  readonly isBytes: boolean;
  readonly fileName: string;
  readonly contentType: string;
}

export interface GraphqlDraft {
  readonly query: string;
  /** The variables as a JSON object. Empty for none. */
  readonly variables: string;
  readonly operationName: string;
}

export interface BodyDraft {
  readonly mode: BodyMode;
  /** The content of a JSON or plain text body. */
  readonly text: string;
  readonly form: readonly HeaderRow[];
  readonly parts: readonly PartRow[];
  readonly graphql: GraphqlDraft;
}

export const NO_BODY: BodyDraft = {
  mode: 'none',
  text: '',
  form: [],
  parts: [],
  graphql: { query: '', variables: '', operationName: '' },
};

export function newPartRow(): PartRow {
  return { ...newHeaderRow(), isBytes: false, fileName: '', contentType: '' };
}

/** Chooses the kind, and adds a first row if the kind consists of rows. */
export function withMode(draft: BodyDraft, mode: BodyMode): BodyDraft {
  if (mode === 'form' && draft.form.length === 0) return { ...draft, mode, form: [newHeaderRow()] };
  if (mode === 'multipart' && draft.parts.length === 0)
    return { ...draft, mode, parts: [newPartRow()] };
  return { ...draft, mode };
}

export function bodyField(mode: BodyMode): keyof RequestBody {
  return mode === 'none' || mode === 'json' || mode === 'text' ? 'body' : mode;
}

/** Reads the first of the four body fields that is set. Values of an unexpected type are treated as absent. */
export function readBody(request: Partial<Record<keyof RequestBody, unknown>>): BodyDraft {
  const { body = null, form = null, multipart = null, graphql = null } = request;
  if (form !== null) return { ...NO_BODY, mode: 'form', form: readRows(form) };
  if (multipart !== null)
    return { ...NO_BODY, mode: 'multipart', parts: readList(multipart).map(readPart) };
  if (graphql !== null) return { ...NO_BODY, mode: 'graphql', graphql: readGraphql(graphql) };
  if (body === null) return NO_BODY;
  if (typeof body === 'string') return { ...NO_BODY, mode: 'text', text: body };
  return { ...NO_BODY, mode: 'json', text: JSON.stringify(body, null, 2) };
}

function readPart(given: unknown): PartRow {
  const { name, value, base64, fileName, contentType } = readRecord(given);
  const isBytes = typeof base64 === 'string';
  return {
    rowId: newRowId(),
    name: readText(name),
    value: isBytes ? base64 : readText(value),
    isBytes,
    fileName: readText(fileName),
    contentType: readText(contentType),
  };
}

function readGraphql(given: unknown): GraphqlDraft {
  const { query, variables, operationName } = readRecord(given);
  return {
    query: readText(query),
    variables: variables === undefined ? '' : JSON.stringify(variables, null, 2),
    operationName: readText(operationName),
  };
}

/** Returns only the field that contains the body. Invalid JSON stays text. */
export function bodyFields(draft: BodyDraft): Partial<Record<keyof RequestBody, JsonValue>> {
  const value = bodyValue(draft);
  return value === null ? {} : { [bodyField(draft.mode)]: value };
}

/** Returns the JSON value of the body. null if there is no body. */
export function bodyValue({ mode, text, form, parts, graphql }: BodyDraft): JsonValue {
  switch (mode) {
    case 'none':
      return null;
    case 'json':
      return text === '' ? null : parseJsonOrText(text);
    case 'text':
      return text === '' ? null : text;
    case 'form':
      return toRecord(form);
    case 'multipart':
      return parts.filter(isBegunPart).map(partValue);
    case 'graphql':
      return {
        query: graphql.query,
        ...(graphql.variables.trim() === ''
          ? {}
          : { variables: parseJsonOrText(graphql.variables) }),
        ...(graphql.operationName === '' ? {} : { operationName: graphql.operationName }),
      };
  }
}

function isBegunPart(row: PartRow): boolean {
  return hasContent(row) || row.fileName !== '' || row.contentType !== '';
}

function partValue({ name, value, isBytes, fileName, contentType }: PartRow): JsonValue {
  return {
    name,
    ...(isBytes ? { base64: value } : { value }),
    ...(fileName === '' ? {} : { fileName }),
    ...(contentType === '' ? {} : { contentType }),
  };
}

export interface BodyProblem {
  /** The path of the field within the request, like `graphql.variables`. */
  readonly path: string;
  readonly message: string;
}

/** Finds a text that must be JSON but is not. null if there is none. */
export function findJsonProblem({ mode, text, graphql }: BodyDraft): BodyProblem | null {
  const json = mode === 'json' ? text : mode === 'graphql' ? graphql.variables.trim() : '';
  if (json === '') return null;
  const message = jsonProblem(json);
  if (message === null) return null;
  return { path: mode === 'json' ? 'body' : 'graphql.variables', message };
}

function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (at === undefined) return 'must be valid JSON';
    const before = text.slice(0, Number(at)).split('\n');
    return `must be valid JSON: see line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  }
}

type Change = (text: string) => string;

/**
 * Applies `change` to every text of the body in which references are resolved. Everything else stays exactly as typed.
 */
export function withBodyTexts(body: BodyDraft, change: Change): BodyDraft {
  const value = <Row extends HeaderRow>(row: Row): Row => ({ ...row, value: change(row.value) });
  switch (body.mode) {
    case 'none':
      return body;
    case 'text':
      return { ...body, text: change(body.text) };
    case 'json':
      return { ...body, text: withJsonTexts(body.text, change) };
    case 'form':
      return { ...body, form: body.form.map(value) };
    case 'multipart':
      return {
        ...body,
        parts: body.parts.map((row) => ({
          ...(row.isBytes ? row : value(row)),
          fileName: change(row.fileName),
        })),
      };
    case 'graphql': {
      const { query, variables } = body.graphql;
      const changed = { query: change(query), variables: withJsonTexts(variables, change) };
      return { ...body, graphql: { ...body.graphql, ...changed } };
    }
  }
}

const JSON_TEXT = /"(?:[^"\\]|\\.)*"(\s*:)?/gs;

/** Applies the change to the string values in a JSON text. Keeps property names and the layout. */
function withJsonTexts(json: string, change: Change): string {
  if (jsonProblem(json) !== null) return change(json);
  return json.replaceAll(JSON_TEXT, (whole, colon: string | undefined) => {
    if (colon !== undefined) return whole;
    const text: unknown = JSON.parse(whole);
    if (typeof text !== 'string') return whole;
    const changed = change(text);
    return changed === text ? whole : JSON.stringify(changed);
  });
}
