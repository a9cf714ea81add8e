/**
 * Decides which JSON paths Keepwatch accepts: the part of RFC 9535 that jsonpath-plus evaluates exactly. Translates
 * accepted paths for the library. Others are refused when a definition is saved.
 */
import { type FilterParse, parseFilter } from './json-path-filter';
import { readQuotedName, refuse, translateNames } from './json-path-name';

const JSON_PATH_LENGTH_MAX = 512;
const SEGMENTS_MAX = 50;

type Parse =
  | { readonly ok: true; readonly spelling: string; readonly rest: string }
  | { readonly ok: false; readonly problem: string };

export type JsonPathParse =
  | { readonly ok: true; readonly libraryPath: string }
  | { readonly ok: false; readonly problem: string };

const SHORTHAND_NAME = /^[\p{L}\p{M}_\u00B7\u200D][\p{L}\p{M}\p{N}_\u00B7\u200D]*/u;
const INTEGER = /^(?:0|-?[1-9]\d{0,9})(?![\d:])/;
const SLICE = /^(-?\d{0,10})\s*:\s*(-?\d{0,10})(?:\s*:\s*(-?\d{0,10}))?/;
/**
 * Selects every child. The library's own wildcard is not used: if an object has a member named `*`, that wildcard may
 * select only this member.
 */
const ANY_CHILD = '[?(true)]';

function parseShorthand(text: string): Parse {
  if (text.startsWith('*')) return { ok: true, spelling: ANY_CHILD, rest: text.slice(1) };
  const name = SHORTHAND_NAME.exec(text)?.[0];
  if (name === undefined) {
    return refuse("After a dot there must be a name or *; write other names as ['first-name'].");
  }
  const rest = text.slice(name.length);
  if (rest.startsWith('-')) {
    return refuse(`A name with a hyphen needs quotes: write ['${name}-…'] instead of .${name}-….`);
  }
  if (rest.startsWith('(')) return refuse('Functions cannot be used in a path.');
  return { ok: true, spelling: translateNames([name]) ?? '', rest };
}

function parseIndex(text: string): Parse | null {
  const match = INTEGER.exec(text);
  if (match === null) return null;
  const index = Number(match[0]);
  // An index becomes a slice of one element, because the library would also treat an index as a name.
  const spelling = index === -1 ? '-1:' : `${index}:${index + 1}`;
  return { ok: true, spelling, rest: text.slice(match[0].length).trimStart() };
}

const CANONICAL_INTEGER = /^(?:|0|-?[1-9]\d*)$/;

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
  const spelling = `${start}:${end}${step === '' ? '' : `:${step}`}`;
  return { ok: true, spelling, rest: text.slice(whole.length).trimStart() };
}

type SelectorKind = 'name' | 'position';

function parseSelector(text: string): (Parse & { ok: true; kind: SelectorKind }) | JsonPathProblem {
  if (/^['"]/.test(text)) {
    const read = readQuotedName(text);
    if (!read.ok) return read;
    return { ok: true, spelling: read.name, rest: read.rest.trimStart(), kind: 'name' };
  }
  const position = parseSlice(text) ?? parseIndex(text);
  if (position?.ok === true) return { ...position, kind: 'position' };
  if (position?.ok === false) return position;
  if (text.startsWith('(')) {
    return refuse('A path must not contain calculations: write [-1] for the last element.');
  }
  return refuse("Brackets hold a number, a slice like [0:3], a quoted name like ['id'], * or ?.");
}

interface JsonPathProblem {
  readonly ok: false;
  readonly problem: string;
}

function parseUnion(text: string): Parse {
  const selectors: string[] = [];
  let kind: SelectorKind | undefined;
  let rest = text;
  do {
    const selector = parseSelector(rest.replace(/^,\s*/, ''));
    if (!selector.ok) return selector;
    if (kind !== undefined && kind !== selector.kind) {
      return refuse('Names and positions cannot be mixed in one pair of brackets.');
    }
    kind = selector.kind;
    selectors.push(selector.spelling);
    rest = selector.rest;
  } while (rest.startsWith(','));
  if (!rest.startsWith(']')) return refuse('A bracket is not closed with ].');
  const brackets = kind === 'name' ? translateNames(selectors) : `[${selectors.join(',')}]`;
  if (brackets === null) {
    return refuse(
      'A list of names must not contain numbers, length, or names with quotes, parentheses, ' +
        '@ or backslashes. Write each of them in its own brackets.',
    );
  }
  return { ok: true, spelling: brackets, rest: rest.slice(1) };
}

function closeFilter(filter: FilterParse): Parse {
  if (!filter.ok) return filter;
  const rest = filter.rest.trimStart();
  if (!rest.startsWith(']')) {
    return refuse('A filter compares members with fixed values, like [?@.price < 10].');
  }
  return { ok: true, spelling: `[?(${filter.spelling})]`, rest: rest.slice(1) };
}

function parseBracket(text: string): Parse {
  const inner = text.trimStart();
  const wildcard = /^\*\s*\]/.exec(inner)?.[0];
  if (wildcard !== undefined) {
    return { ok: true, spelling: ANY_CHILD, rest: inner.slice(wildcard.length) };
  }
  if (inner.startsWith('?')) return closeFilter(parseFilter(inner.slice(1)));
  return parseUnion(inner);
}

function parseSegment(text: string): Parse {
  if (text.startsWith('..')) {
    const after = text.slice(2);
    const next = after.startsWith('[') ? parseBracket(after.slice(1)) : parseShorthand(after);
    return next.ok ? { ...next, spelling: `..${next.spelling}` } : next;
  }
  if (text.startsWith('.')) return parseShorthand(text.slice(1));
  if (text.startsWith('[')) return parseBracket(text.slice(1));
  if (/^[\^~`]/.test(text)) return refuse(`“${text[0]}” is not part of the JSON path standard.`);
  return refuse(`“${text.slice(0, 20)}” is not understood; a path looks like $.items[0].id.`);
}

/** Returns the path for the library, or a message for the user. */
export function parseJsonPath(path: string): JsonPathParse {
  if (path.length > JSON_PATH_LENGTH_MAX) {
    return refuse(`A path has at most ${JSON_PATH_LENGTH_MAX} characters.`);
  }
  if (!path.startsWith('$')) return refuse('A path starts with $, like $.items[0].id.');
  if (/\p{Surrogate}|\p{Cc}/u.test(path))
    return refuse('A path must not contain control characters.');
  const segments: string[] = [];
  let rest = path.slice(1);
  while (rest !== '') {
    const segment = parseSegment(rest);
    if (!segment.ok) return segment;
    segments.push(segment.spelling);
    if (segments.length > SEGMENTS_MAX) return refuse(`A path has at most ${SEGMENTS_MAX} parts.`);
    rest = segment.rest;
  }
  return { ok: true, libraryPath: `$${segments.join('')}` };
}

/** Returns a message for the user. null means that the path is accepted. */
export function findJsonPathProblem(path: string): string | null {
  const parse = parseJsonPath(path);
  return parse.ok ? null : parse.problem;
}
