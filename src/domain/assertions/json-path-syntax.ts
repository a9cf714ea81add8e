/**
 * Decides which JSON paths Keepwatch accepts: RFC 9535 without functions, reverse steps and nested queries. Paths run
 * no code and find only what the JSON has. Others are refused when a definition is saved.
 */
import type { JsonValue } from '../../contracts/definition';
import { isJsonList, isRecord } from '../../contracts/json';
import { parseFilter } from './json-path-filter';
import { readQuotedName, refuse } from './json-path-name';

const JSON_PATH_LENGTH_MAX = 512;
const SEGMENTS_MAX = 50;

type Key = string | number;
/** Returns the names or positions of the selected children, in order. */
type Selector = (value: JsonValue) => readonly Key[];

interface PathProblem {
  readonly ok: false;
  readonly problem: string;
}

type Parse = { readonly ok: true; readonly select: Selector; readonly rest: string } | PathProblem;

export interface Segment {
  /** Whether the segment also selects from all descendants (`..`). */
  readonly isDeep: boolean;
  readonly select: Selector;
}

export type JsonPathParse =
  | { readonly ok: true; readonly segments: readonly Segment[] }
  | PathProblem;

const SHORTHAND_NAME = /^[\p{L}\p{M}_\u00B7\u200D][\p{L}\p{M}\p{N}_\u00B7\u200D]*/u;
const INTEGER = /^(?:0|-?[1-9]\d{0,9})(?![\d:])/;
const SLICE = /^(-?\d{0,10})\s*:\s*(-?\d{0,10})(?:\s*:\s*(-?\d{0,10}))?/;
const CANONICAL_INTEGER = /^(?:|0|-?[1-9]\d*)$/;

export const listKeys: Selector = (value) => {
  if (isJsonList(value)) return [...value.keys()];
  return isRecord(value) ? Object.keys(value) : [];
};

/** null: no such child. */
export function readChild(value: JsonValue, key: Key): JsonValue {
  if (isJsonList(value)) return value[Number(key)] ?? null;
  return isRecord(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}

function selectName(name: string): Selector {
  return (value) => (isRecord(value) && Object.hasOwn(value, name) ? [name] : []);
}

function selectSlice(start: string, end: string, step: string): Selector {
  return (value) => {
    if (!isJsonList(value) || step === '0') return [];
    const positions = [...value.keys()].slice(Number(start), end === '' ? undefined : Number(end));
    return positions.filter((_, at) => at % Number(step || 1) === 0);
  };
}

function parseShorthand(text: string): Parse {
  if (text.startsWith('*')) return { ok: true, select: listKeys, rest: text.slice(1) };
  const name = SHORTHAND_NAME.exec(text)?.[0];
  if (name === undefined) {
    return refuse("After a dot there must be a name or *; write other names as ['first-name'].");
  }
  const rest = text.slice(name.length);
  if (rest.startsWith('-')) {
    return refuse(`A name with a hyphen needs quotes: write ['${name}-…'] instead of .${name}-….`);
  }
  if (rest.startsWith('(')) return refuse('Functions cannot be used in a path.');
  return { ok: true, select: selectName(name), rest };
}

function parseIndex(text: string): Parse | null {
  const match = INTEGER.exec(text);
  if (match === null) return null;
  const index = Number(match[0]);
  const select: Selector = (value) => {
    const at = isJsonList(value) && index < 0 ? value.length + index : index;
    return isJsonList(value) && at >= 0 && at < value.length ? [at] : [];
  };
  return { ok: true, select, rest: text.slice(match[0].length) };
}

function parseSlice(text: string): Parse | null {
  const match = SLICE.exec(text);
  if (match === null) return null;
  const [whole, start = '', end = '', step = ''] = match;
  if (![start, end, step].every((part) => CANONICAL_INTEGER.test(part))) {
    return refuse(
      'The numbers of a slice are written like [0:10] or [-3:], without leading zeros.',
    );
  }
  if (Number(step) < 0) return refuse('A slice must step forwards: write [start:end:1].');
  return { ok: true, select: selectSlice(start, end, step), rest: text.slice(whole.length) };
}

function parseFilterSelector(text: string): Parse {
  const filter = parseFilter(text);
  if (!filter.ok) return filter;
  if (!/^\s*[\],]/.test(filter.rest)) {
    return refuse('A filter compares members with fixed values, like [?@.price < 10].');
  }
  const select: Selector = (value) =>
    listKeys(value).filter((key) => filter.isSelected(readChild(value, key)));
  return { ok: true, select, rest: filter.rest };
}

function parseSelector(text: string): Parse {
  if (text.startsWith('*')) return { ok: true, select: listKeys, rest: text.slice(1) };
  if (text.startsWith('?')) return parseFilterSelector(text.slice(1));
  if (/^['"]/.test(text)) {
    const read = readQuotedName(text);
    return read.ok ? { ok: true, select: selectName(read.name), rest: read.rest } : read;
  }
  if (text.startsWith('(')) {
    return refuse('A path must not contain calculations: write [-1] for the last element.');
  }
  return (
    parseSlice(text) ??
    parseIndex(text) ??
    refuse("Brackets hold a number, a slice like [0:3], a quoted name like ['id'], * or ?.")
  );
}

function parseBracket(text: string): Parse {
  const selectors: Selector[] = [];
  let rest = `,${text}`;
  do {
    const selector = parseSelector(rest.slice(1).trimStart());
    if (!selector.ok) return selector;
    selectors.push(selector.select);
    rest = selector.rest.trimStart();
  } while (rest.startsWith(','));
  if (!rest.startsWith(']')) return refuse('A bracket is not closed with ].');
  const select: Selector = (value) => selectors.flatMap((one) => one(value));
  return { ok: true, select, rest: rest.slice(1) };
}

function parseSegment(text: string): Parse {
  if (text.startsWith('..')) {
    const after = text.slice(2);
    return after.startsWith('[') ? parseBracket(after.slice(1)) : parseShorthand(after);
  }
  if (text.startsWith('.')) return parseShorthand(text.slice(1));
  if (text.startsWith('[')) return parseBracket(text.slice(1));
  if (/^[\^~`]/.test(text)) return refuse(`“${text[0]}” is not part of the JSON path standard.`);
  return refuse(`“${text.slice(0, 20)}” is not understood; a path looks like $.items[0].id.`);
}

/** Returns the segments of the path, or a message for the user. */
export function parseJsonPath(path: string): JsonPathParse {
  if (path.length > JSON_PATH_LENGTH_MAX) {
    return refuse(`A path has at most ${JSON_PATH_LENGTH_MAX} characters.`);
  }
  if (!path.startsWith('$')) return refuse('A path starts with $, like $.items[0].id.');
  if (/\p{Surrogate}|\p{Cc}/u.test(path))
    return refuse('A path must not contain control characters.');
  const segments: Segment[] = [];
  let rest = path.slice(1);
  while (rest !== '') {
    const segment = parseSegment(rest);
    if (!segment.ok) return segment;
    segments.push({ isDeep: rest.startsWith('..'), select: segment.select });
    if (segments.length > SEGMENTS_MAX) return refuse(`A path has at most ${SEGMENTS_MAX} parts.`);
    rest = segment.rest;
  }
  return { ok: true, segments };
}

/** null: the path is accepted. Otherwise, a message for the user. */
export function findJsonPathProblem(path: string): string | null {
  const parse = parseJsonPath(path);
  return parse.ok ? null : parse.problem;
}
