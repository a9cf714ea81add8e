/** Converts an assertion between its draft in a form and its format in /v1. Pure. */
import {
  type AssertionOperator,
  type JsonValue,
  REDIRECT_FACTS,
  TIMING_NAMES,
  TLS_FACTS,
} from '../../../../contracts/definition';
import { parseJson, parseJsonOrText } from '../../../../contracts/json';

export const ASSERTION_TYPES = [
  'status',
  'responseTime',
  'jsonPath',
  'header',
  'body',
  'bodySize',
  'timing',
  'redirect',
  'tls',
  'jsonSchema',
] as const;
export type AssertionType = (typeof ASSERTION_TYPES)[number];

export interface AssertionDraft {
  /** Identifies the row on the page. It is not part of the assertion. */
  readonly rowId: string;
  readonly type: AssertionType;
  /** The name of the header or fact that the assertion checks. */
  readonly name: string;
  readonly path: string;
  readonly match: string;
  readonly operator: AssertionOperator;
  readonly value: string;
  readonly severity: 'fail' | 'degraded';
}

const NUMBERS: readonly AssertionOperator[] = [
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
];
const TEXTS: readonly AssertionOperator[] = [
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'matches',
  'notMatches',
];
const LISTS: readonly AssertionOperator[] = ['in', 'notIn'];
const WITHOUT_VALUE: readonly AssertionOperator[] = [
  'exists',
  'notExists',
  'isEmpty',
  'isNotEmpty',
];
const EQUAL: readonly AssertionOperator[] = ['equals', 'notEquals'];

/** The operators of each type, the most used first. */
export const TYPE_OPERATORS: Readonly<Record<AssertionType, readonly AssertionOperator[]>> = {
  status: [...EQUAL, ...LISTS, ...NUMBERS],
  responseTime: NUMBERS,
  jsonPath: [...EQUAL, ...TEXTS, ...NUMBERS, ...LISTS, ...WITHOUT_VALUE, 'typeIs', 'lengthEquals'],
  header: [...EQUAL, ...TEXTS, ...NUMBERS, ...LISTS, ...WITHOUT_VALUE],
  body: [...TEXTS, ...EQUAL, 'isEmpty', 'isNotEmpty', 'lengthEquals'],
  bodySize: NUMBERS,
  timing: NUMBERS,
  redirect: [...EQUAL, ...TEXTS, ...NUMBERS],
  tls: ['greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual', ...EQUAL, 'contains'],
  jsonSchema: ['matches'],
};

/** The facts that an assertion of the type can check. */
export const TYPE_FACTS: Readonly<Partial<Record<AssertionType, readonly string[]>>> = {
  tls: TLS_FACTS,
  timing: TIMING_NAMES,
  redirect: REDIRECT_FACTS,
};

let rows = 0;

export function newRowId(): string {
  rows += 1;
  return `row-${rows}`;
}

export function newAssertion(type: AssertionType = 'status'): AssertionDraft {
  return {
    rowId: newRowId(),
    type,
    name: TYPE_FACTS[type]?.[0] ?? '',
    path: type === 'jsonPath' ? '$.' : '',
    match: 'first',
    operator: TYPE_OPERATORS[type][0] ?? 'equals',
    value: type === 'status' ? '200' : '',
    severity: 'fail',
  };
}

/** Changes the type of the draft. All fields except the severity are reset. */
export function withType(draft: AssertionDraft, type: AssertionType): AssertionDraft {
  return { ...newAssertion(type), rowId: draft.rowId, severity: draft.severity };
}

export function takesValue(operator: AssertionOperator): boolean {
  return !WITHOUT_VALUE.includes(operator);
}

/** Returns the assertion for /v1. Invalid values stay text, so that the schema reports them. */
export function toAssertion(draft: AssertionDraft): Record<string, JsonValue> {
  const { type, operator, severity } = draft;
  const assertion: Record<string, JsonValue> = { type, operator };
  if (type === 'header' || TYPE_FACTS[type] !== undefined) assertion['name'] = draft.name;
  if (type === 'jsonPath') {
    assertion['path'] = draft.path;
    if (draft.match !== 'first') assertion['match'] = draft.match;
  }
  if (takesValue(operator)) assertion['value'] = readValue(draft);
  if (severity !== 'fail') assertion['severity'] = severity;
  return assertion;
}

function readValue({ type, operator, value }: AssertionDraft): JsonValue {
  if (type === 'jsonSchema') return parseJsonOrText(value);
  if (LISTS.includes(operator)) return readList(value);
  if (NUMBERS.includes(operator) || operator === 'lengthEquals' || type === 'status')
    return readNumber(value);
  if (TEXTS.includes(operator) || operator === 'typeIs' || type === 'body') return value;
  return parseJsonOrText(value);
}

function readNumber(text: string): JsonValue {
  const trimmed = text.trim();
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

/** Reads a list, written as JSON or as text like `200, 204`. */
function readList(text: string): JsonValue {
  const parsed = parseJson(text);
  if (Array.isArray(parsed)) return parsed;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseJsonOrText);
}

export interface GivenAssertion {
  readonly type: AssertionType;
  readonly operator: AssertionOperator;
  readonly severity?: 'fail' | 'degraded' | undefined;
  readonly value?: unknown;
  readonly name?: string;
  readonly path?: string;
  readonly match?: string;
}

/** Reads an assertion from a response of /v1, or from YAML of the same shape. */
export function fromAssertion(given: GivenAssertion): AssertionDraft {
  return {
    rowId: newRowId(),
    type: given.type,
    name: given.name ?? '',
    path: given.path ?? '',
    match: given.match ?? 'first',
    operator: given.operator,
    value: writeValue(given.type, given.value),
    severity: given.severity ?? 'fail',
  };
}

function writeValue(type: AssertionType, value: unknown): string {
  if (value === undefined) return '';
  if (type === 'jsonSchema') return JSON.stringify(value, null, 2);
  if (typeof value !== 'string') return JSON.stringify(value);
  const isPlain = type === 'body' || type === 'status' || parseJson(value) === undefined;
  return isPlain ? value : JSON.stringify(value);
}
