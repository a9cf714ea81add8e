/**
 * Masks secret values in text, in every spelling. A text must be masked before it is cut, because a part of a secret is
 * recognised only at the end of a text. Masking is slow for long texts, so it must run in a worker thread.
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
  /** True means that texts were cut off. An end that may be the start of a value is then masked, too. */
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
