/**
 * Decodes percent-encoding and the escapes of JSON and HTML, even if they are nested, in linear time. Each decoded byte
 * keeps its position in the text. The result is used only to search for secrets, so a backslash that starts no escape
 * is dropped.
 */

/** Bytes in UTF-8 with their positions in the text. Positions count UTF-16 units. */
export interface DecodedText {
  readonly length: number;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  /** The exclusive end of each byte in the text. */
  readonly ends: Uint32Array;
  /** False means that nothing was decoded. */
  readonly hasEscapes: boolean;
}

type Stack = { -readonly [Key in keyof DecodedText]: DecodedText[Key] };

interface Piece {
  readonly code: number;
  readonly start: number;
  readonly end: number;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const LETTER_U = 0x75;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const REPLACEMENT = 0xfffd;
/** Matches the characters with which escapes start. A text without them has no escapes. */
const ESCAPE_START = /[%\\&]/;
const UTF8_BYTES_PER_UNIT_MAX = 3;
/** The length of the longest HTML escape: `&#x`, four leading zeros, the longest code point and a semicolon. */
const HTML_ESCAPE_LENGTH_MAX = 14;
const HTML_CODES: ReadonlyMap<string, number> = new Map([
  ['quot', 0x22],
  ['apos', 0x27],
  ['amp', AMPERSAND],
  ['lt', 0x3c],
  ['gt', 0x3e],
]);

function createStack(unitsMax: number): Stack {
  const bytesMax = unitsMax * UTF8_BYTES_PER_UNIT_MAX;
  return {
    length: 0,
    bytes: new Uint8Array(bytesMax),
    starts: new Uint32Array(bytesMax),
    ends: new Uint32Array(bytesMax),
    hasEscapes: false,
  };
}

function byteAt(stack: Stack, fromTop: number): number {
  return stack.bytes[stack.length - fromTop] ?? 0;
}

function startAt(stack: Stack, fromTop: number): number {
  return stack.starts[stack.length - fromTop] ?? 0;
}

function appendByte(stack: Stack, byte: number, { start, end }: Piece): void {
  stack.bytes[stack.length] = byte;
  stack.starts[stack.length] = start;
  stack.ends[stack.length] = end;
  stack.length += 1;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function appendCharacter(stack: Stack, piece: Piece): void {
  const { code } = piece;
  const tail = (shift: number) => 0x80 | ((code >> shift) & 0x3f);
  if (code < 0x80) {
    appendByte(stack, code, piece);
    return;
  }
  if (code < 0x800) {
    appendByte(stack, 0xc0 | (code >> 6), piece);
  } else if (code < 0x10000) {
    appendByte(stack, 0xe0 | (code >> 12), piece);
    appendByte(stack, tail(6), piece);
  } else {
    appendByte(stack, 0xf0 | (code >> 18), piece);
    appendByte(stack, tail(12), piece);
    appendByte(stack, tail(6), piece);
  }
  appendByte(stack, tail(0), piece);
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Returns the number that the topmost bytes spell in hex, or -1 if any of these bytes is not a hex digit. */
function hexOnTop(stack: Stack, digits: number): number {
  let value = 0;
  for (let fromTop = digits; fromTop > 0; fromTop -= 1) {
    const digit = hexDigit(byteAt(stack, fromTop));
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Removes the topmost bytes, and returns the character that they encode with its position in the text. */
function reduce(stack: Stack, count: number, { code, end }: { code: number; end: number }): Piece {
  const start = startAt(stack, count);
  stack.length -= count;
  stack.hasEscapes = true;
  return { code, start, end };
}

/** Joins the two surrogates of one character that were escaped separately. */
function joinSurrogates(stack: Stack, low: Piece): Piece {
  if (low.code < 0xdc00 || low.code > 0xdfff || stack.length < 3) return low;
  if (byteAt(stack, 3) !== 0xed || (byteAt(stack, 2) & 0xf0) !== 0xa0) return low;
  const high = 0xd000 | ((byteAt(stack, 2) & 0x3f) << 6) | (byteAt(stack, 1) & 0x3f);
  const code = 0x10000 + ((high - 0xd800) << 10) + (low.code - 0xdc00);
  return reduce(stack, 3, { code, end: low.end });
}

function reduceHex(stack: Stack, end: number): Piece | null {
  if (stack.length >= 3 && byteAt(stack, 3) === PERCENT) {
    const byte = hexOnTop(stack, 2);
    // This byte is only a part of a character. The following escapes contain the other bytes of the character.
    if (byte >= 0x80) {
      appendByte(stack, byte, reduce(stack, 3, { code: byte, end }));
      return null;
    }
    if (byte >= 0) return reduce(stack, 3, { code: byte, end });
  }
  if (stack.length < 6 || byteAt(stack, 6) !== BACKSLASH || byteAt(stack, 5) !== LETTER_U)
    return null;
  const code = hexOnTop(stack, 4);
  return code < 0 ? null : joinSurrogates(stack, reduce(stack, 6, { code, end }));
}

function codeOfHtml(inner: string): number {
  const named = HTML_CODES.get(inner);
  if (named !== undefined) return named;
  const [, hex, decimal] = /^#(?:[xX]([0-9a-fA-F]+)|([0-9]+))$/.exec(inner) ?? [];
  if (hex === undefined && decimal === undefined) return -1;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0x10ffff || isSurrogate(code) ? -1 : code;
}

function reduceHtml(stack: Stack, end: number): Piece | null {
  let inner = '';
  for (let fromTop = 2; fromTop <= HTML_ESCAPE_LENGTH_MAX; fromTop += 1) {
    if (fromTop > stack.length) return null;
    const byte = byteAt(stack, fromTop);
    if (byte === AMPERSAND) {
      const code = codeOfHtml(inner);
      return code < 0 ? null : reduce(stack, fromTop, { code, end });
    }
    inner = String.fromCharCode(byte) + inner;
  }
  return null;
}

/** Pushes one character. If it completes an escape, returns the escaped character. */
function put(stack: Stack, piece: Piece): Piece | null {
  let { start } = piece;
  // Backslashes are dropped, because their number depends only on how often the text was escaped.
  if (stack.length > 0 && byteAt(stack, 1) === BACKSLASH && piece.code !== LETTER_U) {
    start = startAt(stack, 1);
    stack.length -= 1;
    stack.hasEscapes = true;
  }
  appendCharacter(stack, { ...piece, start });
  if (piece.code === SEMICOLON) return reduceHtml(stack, piece.end);
  return hexDigit(piece.code) === -1 ? null : reduceHex(stack, piece.end);
}

/** True if this ASCII character can neither complete an escape nor follow a backslash. */
function isPlain(stack: Stack, code: number): boolean {
  if (code >= 0x80 || code === SEMICOLON || byteAt(stack, 1) === BACKSLASH) return false;
  const maybeEnds = byteAt(stack, 2) === PERCENT || byteAt(stack, 5) === BACKSLASH;
  return !maybeEnds || hexDigit(code) === -1;
}

function characterAt(text: string, start: number): Piece {
  const code = text.codePointAt(start) ?? REPLACEMENT;
  const end = start + (code > 0xffff ? 2 : 1);
  // A lone surrogate is sent as U+FFFD.
  return { code: isSurrogate(code) ? REPLACEMENT : code, start, end };
}

function appendUnit(stack: Stack, code: number, at: number): void {
  stack.bytes[stack.length] = code;
  stack.starts[stack.length] = at;
  stack.ends[stack.length] = at + 1;
  stack.length += 1;
}

/** Returns the bytes of the unchanged text. */
export function encodeText(text: string): DecodedText {
  const stack = createStack(text.length);
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      appendUnit(stack, code, at);
      at += 1;
      continue;
    }
    const piece = characterAt(text, at);
    appendCharacter(stack, piece);
    at = piece.end;
  }
  return stack;
}

/**
 * Returns the bytes of the text with every escape decoded, including escapes that appear only after others were
 * decoded.
 */
export function decodeEscapes(text: string): DecodedText {
  if (!ESCAPE_START.test(text)) return encodeText(text);
  const stack = createStack(text.length);
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (isPlain(stack, code)) {
      appendUnit(stack, code, at);
      at += 1;
      continue;
    }
    const piece = characterAt(text, at);
    for (let next: Piece | null = piece; next !== null; ) next = put(stack, next);
    at = piece.end;
  }
  while (stack.length > 0 && byteAt(stack, 1) === BACKSLASH) {
    stack.length -= 1;
    stack.hasEscapes = true;
  }
  return stack;
}
