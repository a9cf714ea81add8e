/**
 * Finds a value in any spelling: unchanged, lower case, percent-encoded, escaped for JSON or HTML, and combinations.
 * Also finds the whole value in hex, and in base64 at any offset (as in Basic credentials). Takes linear time.
 */
import { type BytePattern, createFolding, createPattern, scan } from './byte-pattern';
import { type DecodedText, decodeEscapes, encodeText } from './decode-escapes';

/** A range of a text in UTF-16 units. The end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text that is prepared for the search: the text as it is, and if it has escapes, also the decoded text. */
export interface SearchedText {
  readonly text: string;
  readonly views: readonly DecodedText[];
  /** True means that the text was cut off, so a value may have started at its end. */
  readonly isBroken: boolean;
}

interface Spelling {
  readonly pattern: BytePattern;
  /**
   * The minimum length of this spelling in the text. A shorter match only looks like the value after escapes are
   * decoded.
   */
  readonly unitsMin: number;
  /** True means that neighbouring characters may contain some bits of the value. */
  readonly isBase64: boolean;
  readonly endsInBackslash: boolean;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The minimum length of a piece of base64. Shorter pieces occur by chance in ordinary text. */
const BASE64_LENGTH_MIN = 4;
/** The minimum length of a match at the end of a text that was cut off. A shorter match is a coincidence. */
const BEGINNING_LENGTH_MIN = 4;
/** Maximum length of an escape at the end of a text that was cut off. */
const ESCAPE_LENGTH_MAX = 14;
const ESCAPE_STARTS: ReadonlySet<number> = new Set([0x25, 0x26, 0x5c]);

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const LOWER_CASE = UPPER.map((letter) => [letter, letter.toLowerCase()] as const);
/** Pairs of a control character and the letter that represents it after a backslash. */
const CONTROLS = [
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\f', 'f'],
  ['\r', 'r'],
] as const;
const PLAIN = createFolding([...LOWER_CASE, ...CONTROLS, ['+', ' ']]);
const HEX = createFolding(LOWER_CASE);
const BASE64 = createFolding([
  ['-', '+'],
  ['_', '/'],
]);

/** Returns the base64 characters that depend only on these bytes. */
function innerBase64(bytes: readonly number[], offset: number): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of [...Array<number>(offset).fill(0), ...bytes]) {
    held = held * 256 + byte;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      const digit = Math.floor(held / 2 ** bits);
      text += ALPHABET.charAt(digit);
      held -= digit * 2 ** bits;
    }
  }
  return text.slice(Math.ceil((offset * 8) / 6));
}

function takeBytes({ bytes, length }: DecodedText): Uint8Array {
  return bytes.slice(0, length);
}

/** Lists the spellings of the value itself: unchanged, in lower case, and with its escapes decoded. */
function plainSpellings(value: string): readonly Spelling[] {
  const endsInBackslash = value.endsWith('\\');
  const unitsMin = value.replace(/\\$/, '').replace(/\\+$/, '').length || value.length;
  const forms = [value, value.toLowerCase()].flatMap((form) => [
    takeBytes(encodeText(form)),
    takeBytes(decodeEscapes(form)),
  ]);
  const patterns = forms
    .filter((bytes) => bytes.length > 0)
    .map((bytes) => createPattern(bytes, PLAIN));
  const unique = new Map(patterns.map((pattern) => [pattern.bytes.join(), pattern]));
  return [...unique.values()].map((pattern) => ({
    pattern,
    unitsMin,
    isBase64: false,
    endsInBackslash,
  }));
}

function encodedSpellings(value: string): readonly Spelling[] {
  const bytes = [...takeBytes(encodeText(value))];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = [0, 1, 2]
    .map((offset) => innerBase64(bytes, offset))
    .filter((text) => text.length >= BASE64_LENGTH_MIN);
  const createSpelling = (text: string, isBase64: boolean): Spelling => ({
    pattern: createPattern(takeBytes(encodeText(text)), isBase64 ? BASE64 : HEX),
    unitsMin: text.length,
    isBase64,
    endsInBackslash: false,
  });
  return [createSpelling(hex, false), ...base64.map((text) => createSpelling(text, true))];
}

/** Returns every spelling of the value. The value must not be empty. */
export function listSpellings(value: string): readonly Spelling[] {
  return [...plainSpellings(value), ...encodedSpellings(value)];
}

export function prepareText(text: string, isBroken: boolean): SearchedText {
  const decoded = decodeEscapes(text);
  const views = decoded.hasEscapes ? [encodeText(text), decoded] : [decoded];
  return { text, views, isBroken };
}

const BASE64_CHARACTER = /[A-Za-z0-9+/_-]/;

function widenBase64(text: string, { start, end }: Span): Span {
  const from = BASE64_CHARACTER.test(text.charAt(start - 1)) ? start - 1 : start;
  if (!BASE64_CHARACTER.test(text.charAt(end))) return { start: from, end };
  const padding = /^={0,2}/.exec(text.slice(end + 1, end + 3))?.[0] ?? '';
  return { start: from, end: end + 1 + padding.length };
}

function widenBackslashes(text: string, { start, end }: Span): Span {
  let behind = end;
  while (text.charAt(behind) === '\\') behind += 1;
  return { start, end: behind };
}

function widen(text: string, span: Span, { isBase64, endsInBackslash }: Spelling): Span {
  if (isBase64) return widenBase64(text, span);
  return endsInBackslash ? widenBackslashes(text, span) : span;
}

/**
 * Returns the positions at which the readable part of a value may end: the last byte of the text, and each byte before
 * an escape that may have been cut off.
 */
function findBrokenEnds({ bytes, length }: DecodedText): ReadonlySet<number> {
  const ends = new Set([length - 1]);
  for (let index = Math.max(0, length - ESCAPE_LENGTH_MAX); index < length; index += 1) {
    if (ESCAPE_STARTS.has(bytes[index] ?? 0)) ends.add(index - 1);
  }
  return ends;
}

const NOWHERE: ReadonlySet<number> = new Set();

/** Adds a span. Overlapping spans are joined, because a value that repeats itself is found several times. */
function addSpan(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last === undefined || last.end <= span.start) {
    spans.push(span);
    return;
  }
  const end = Math.max(last.end, span.end);
  spans[spans.length - 1] = { start: Math.min(last.start, span.start), end };
}

function findInView(searched: SearchedText, view: DecodedText, spelling: Spelling): Span[] {
  const { text, isBroken } = searched;
  const { pattern, unitsMin } = spelling;
  const spans: Span[] = [];
  const onMatch = (index: number, matched: number): void => {
    const start = view.starts[index - matched + 1] ?? 0;
    const end = view.ends[index] ?? 0;
    if (matched === pattern.bytes.length && end - start >= unitsMin) {
      addSpan(spans, widen(text, { start, end }, spelling));
    } else if (isBroken && matched >= BEGINNING_LENGTH_MIN) {
      addSpan(spans, { start, end: text.length });
    }
  };
  scan(pattern, view, { ends: isBroken ? findBrokenEnds(view) : NOWHERE, onMatch });
  return spans;
}

/**
 * Finds this spelling in the text. If the text was cut off, also finds the start of the spelling at the end. Spans may
 * overlap.
 */
export function findSpans(searched: SearchedText, spelling: Spelling): readonly Span[] {
  return searched.views.flatMap((view) => findInView(searched, view, spelling));
}
