/**
 * Masks secret values in text, in every spelling. Mask a text before you cut it: a cut-off secret can be recognised
 * only at the end of the text. Masking is slow for long texts, so it must run in a worker thread.
 */
import { isMaskable, MASK, type Redact } from './redact';
import { findSpans, listSpellings, prepareText, type Span } from './secret-spellings';

/** Replaces the spans by masks. Overlapping spans become one mask. Adjacent spans become two masks. */
function maskSpans(text: string, spans: readonly Span[]): string {
  const kept: string[] = [];
  let last = 0;
  for (const { start, end } of [...spans].sort((left, right) => left.start - right.start)) {
    if (kept.length === 0 || start >= last) kept.push(text.slice(last, start), MASK);
    last = Math.max(last, end);
  }
  return kept.join('') + text.slice(last);
}

interface RedactorOptions {
  /** True if the texts were cut off. The end of a text is then masked, too, if it may be the start of a value. */
  readonly isBroken?: boolean;
}

/** Returns a function that replaces every spelling of every value by `***`. Short values are ignored. */
export function createRedactor(
  values: readonly string[],
  { isBroken = false }: RedactorOptions = {},
): Redact {
  const spellings = [...new Set(values)].filter(isMaskable).flatMap(listSpellings);
  if (spellings.length === 0) return (text) => text;
  return (text) => {
    const searched = prepareText(text, isBroken);
    const spans = spellings.flatMap((spelling) => findSpans(searched, spelling));
    return spans.length === 0 ? text : maskSpans(text, spans);
  };
}
