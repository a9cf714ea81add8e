/** Cuts text to a length in UTF-16 units. Never cuts through a visible character or an escape sequence. Pure. */

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Maximum length of a visible character. Longer characters consist of many combining marks and are cut like text. */
const GRAPHEME_LENGTH_MAX = 64;
/** Matches HTML entities, backslash escapes, and characters after a zero-width space that prevents formatting. */
const ESCAPES = /\u200b*(?:\\?&#?\w{1,31};|\\[\s\S])|\u200b[\s\S]/g;
const ESCAPE_LENGTH_MAX = 33;
/** How many UTF-16 units before and after a position are examined to find the character at the position. */
const WINDOW = 4 * GRAPHEME_LENGTH_MAX;

/** Replaces unpaired surrogates with U+FFFD, as every decoder does. */
export function toWellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

function isWithinPair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}

/** Returns the start of the character at the position. */
function findBoundary(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  const from = Math.max(0, at - WINDOW);
  const start = isWithinPair(text, from) ? from - 1 : from;
  const around = text.slice(start, at + WINDOW);
  const { index = 0 } = GRAPHEMES.segment(around).containing(at - start) ?? {};
  const boundary = start + index;
  if (at - boundary <= GRAPHEME_LENGTH_MAX) return boundary;
  return isWithinPair(text, at) ? at - 1 : at;
}

/** Returns the start of the escape sequence at the position, or the position itself. */
function findEscapeStart(text: string, at: number): number {
  let start = Math.max(0, at - ESCAPE_LENGTH_MAX);
  // Backslashes escape each other, so a sequence of them must be read from its start.
  while (start > 0 && text.charAt(start - 1) === '\\') start -= 1;
  for (const match of text.slice(start, at + ESCAPE_LENGTH_MAX).matchAll(ESCAPES)) {
    const from = start + match.index;
    if (from < at && from + match[0].length > at) return from;
  }
  return at;
}

function findCut(text: string, at: number): number {
  const boundary = findBoundary(text, at);
  const escapeStart = findEscapeStart(text, boundary);
  return escapeStart === boundary ? boundary : findBoundary(text, escapeStart);
}

/** Returns the text, or its start followed by `mark`, with at most `max` units in total. */
export function cutText(text: string, max: number, mark = '…'): string {
  if (text.length <= max) return toWellFormed(text);
  const room = Math.max(0, max - mark.length);
  return `${toWellFormed(text.slice(0, findCut(text, room)))}${mark}`.slice(0, Math.max(0, max));
}

/** Returns the text, or its end, with at most `max` units. */
export function takeEnd(text: string, max: number): string {
  if (text.length <= max) return toWellFormed(text);
  const at = text.length - max;
  const boundary = findBoundary(text, at);
  const next =
    boundary === at
      ? at
      : boundary +
        (GRAPHEMES.segment(text.slice(boundary, at + WINDOW)).containing(0)?.segment.length ?? 0);
  return toWellFormed(text.slice(next));
}

/** Cuts and escapes the text so that the result fits into `max`. */
export function escapeWithin(
  text: string,
  max: number,
  escapeText: (text: string) => string,
): string {
  const whole = toWellFormed(text);
  if (whole.length <= max && escapeText(whole).length <= max) return escapeText(whole);
  let [fits, tooLong] = [0, Math.min(whole.length, max) + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (escapeText(cutText(whole, middle)).length <= max) fits = middle;
    else tooLong = middle;
  }
  return escapeText(cutText(whole, fits));
}
