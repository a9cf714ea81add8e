/**
 * Finds a value in text however it is spelled there: each character as it is, in lower case (as in
 * a host name), percent-encoded, or escaped for JSON or HTML, once or several times, in any
 * mixture; and the whole value in hex, or in base64 at any offset (so also inside Basic
 * credentials).
 */

/** Takes time that grows with the length of the text only. */
export type Replace = (text: string, by: string) => string;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Shorter pieces of base64 are found by chance in ordinary text. */
const BASE64_LENGTH_MIN = 4;
/** A character of base64 beside the known ones may hold some bits of the value. */
const BASE64_BEFORE = '[A-Za-z0-9+/_-]?';
const BASE64_AFTER = '(?:[A-Za-z0-9+/_-]={0,2})?';
/** Without any of these, a text holds the value as it is or not at all. */
const ESCAPES = /[%\\&+]/;
/** Characters of a value that one expression covers. */
const PIECE_LENGTH = 64;

const HTML_NAMES: ReadonlyMap<string, string> = new Map([
  ['"', 'quot'],
  ["'", 'apos'],
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
]);
const JSON_LETTERS: ReadonlyMap<string, string> = new Map([
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\f', 'f'],
  ['\r', 'r'],
]);

/** Text as servers receive it: halves of characters become U+FFFD. */
function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\uFFFD');
}

function utf8Of(text: string): number[] {
  return [...encodeURIComponent(wellFormed(text)).matchAll(/%([0-9A-F]{2})|./g)].map(
    ([character, hex]) => (hex === undefined ? character.charCodeAt(0) : Number.parseInt(hex, 16)),
  );
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function hexOf(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** Hex digits in either case. */
function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function percentPattern(character: string): string {
  return utf8Of(character)
    .map((byte) => `%(?:25){0,3}${anyCase(hexOf(byte, 2))}`)
    .join('');
}

function jsonPattern(character: string): string {
  const units = [...Array(character.length).keys()].map((index) => character.charCodeAt(index));
  const escaped = units.map((unit) => `u${anyCase(hexOf(unit, 4))}`).join('\\\\{1,8}');
  const letter = JSON_LETTERS.get(character);
  const others = /[\p{L}\p{N}]/u.test(character) ? [] : [literal(character)];
  return `\\\\{1,8}(?:${[escaped, ...others, ...(letter === undefined ? [] : [letter])].join('|')})`;
}

function htmlPattern(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = HTML_NAMES.get(character);
  const numbers = [`#0{0,4}${code}`, `#[xX]0{0,4}${anyCase(code.toString(16))}`];
  return `&(?:amp;){0,3}(?:${[...numbers, ...(name === undefined ? [] : [name])].join('|')});`;
}

function characterPattern(character: string): string {
  const lower = character.toLowerCase();
  const spellings = [
    literal(character),
    ...(lower === character ? [] : [literal(lower)]),
    ...(character === ' ' ? ['\\+'] : []),
    percentPattern(character),
    jsonPattern(character),
    htmlPattern(character),
  ];
  return `(?:${spellings.join('|')})`;
}

/** A run of backslashes as one, since single ones can't be told apart once they are doubled. */
function backslashPattern({ length }: string): string {
  const spellings = [
    `\\\\{${length},${length * 8}}`,
    percentPattern('\\').repeat(length),
    htmlPattern('\\').repeat(length),
  ];
  return `(?:${spellings.join('|')})`;
}

/** The value in pieces: expressions for all of it would grow too large for the engine. */
function piecesOf(value: string): readonly RegExp[] {
  const parts = wellFormed(value).match(/\\+|[^\\]/gu) ?? [];
  const pieces: RegExp[] = [];
  for (let start = 0; start < parts.length; start += PIECE_LENGTH) {
    const source = parts
      .slice(start, start + PIECE_LENGTH)
      .map((part) => (part.startsWith('\\') ? backslashPattern(part) : characterPattern(part)));
    pieces.push(new RegExp(source.join(''), start === 0 ? 'gu' : 'yu'));
  }
  return pieces;
}

/** Behind the whole value whose first piece ends here, or -1. */
function endOf(text: string, firstEnd: number, rest: readonly RegExp[]): number {
  let end = firstEnd;
  for (const piece of rest) {
    piece.lastIndex = end;
    if (!piece.test(text)) return -1;
    end = piece.lastIndex;
  }
  return end;
}

function replaceSpelled(text: string, [first, ...rest]: readonly RegExp[], by: string): string {
  if (first === undefined) return text;
  const kept: string[] = [];
  let last = 0;
  first.lastIndex = 0;
  for (let match = first.exec(text); match !== null; match = first.exec(text)) {
    const end = endOf(text, first.lastIndex, rest);
    if (end === -1) {
      first.lastIndex = match.index + 1;
      continue;
    }
    kept.push(text.slice(last, match.index), by);
    last = end;
    first.lastIndex = end;
  }
  return last === 0 ? text : kept.join('') + text.slice(last);
}

/** The base64 characters that depend on these bytes alone, whatever stands before and after. */
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

/** Texts that stand for the whole value, each with the expression that replaces it. */
function encodedForms(
  value: string,
): readonly { readonly text: string; readonly source: string }[] {
  const bytes = utf8Of(value);
  const hex = bytes.map((byte) => hexOf(byte, 2)).join('');
  const base64 = [0, 1, 2]
    .map((offset) => innerBase64(bytes, offset))
    .filter((text) => text.length >= BASE64_LENGTH_MIN)
    .flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
  return [
    ...[hex, hex.toUpperCase()].map((text) => ({ text, source: text })),
    ...[...new Set(base64)].map((text) => ({
      text,
      source: `${BASE64_BEFORE}${literal(text)}${BASE64_AFTER}`,
    })),
  ];
}

/** What replaces every spelling of the value, which must not be empty. */
export function createReplace(value: string): Replace {
  const lower = value.toLowerCase();
  const forms = encodedForms(value);
  let pieces: readonly RegExp[] | undefined;
  const isSpelled = (text: string): boolean =>
    text.includes(value) || text.includes(lower) || ESCAPES.test(text);
  return (text, by) => {
    let replaced = text;
    if (isSpelled(text)) {
      pieces ??= piecesOf(value);
      replaced = replaceSpelled(text, pieces, by);
    }
    // Looking for a text is far quicker than an expression, and mostly finds nothing.
    for (const form of forms) {
      if (replaced.includes(form.text))
        replaced = replaced.replaceAll(new RegExp(form.source, 'g'), by);
    }
    return replaced;
  };
}
