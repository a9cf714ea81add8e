/**
 * Takes known secret values out of text, however they are spelled there. It must be applied before
 * a text is cut, since half a secret is recognised only at the end of a text.
 */
import type { JsonValue } from '../../contracts/definition';
import { isJsonList } from '../../contracts/json';
import type { StepOutcome } from '../../contracts/outcome';
import { findSpans, prepareText, type Span, spellingsOf } from './secret-spellings';

export const MASK = '***';
export type Redact = (text: string) => string;

/** Shorter values are not masked: that would show more of them than it hides. */
export const SECRET_LENGTH_MIN = 4;

/** True when a value is long enough to be masked. */
export function isMaskable(value: string): boolean {
  return value.length >= SECRET_LENGTH_MIN;
}

/** Overlapping spans become one mask, neighbours stay two. */
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
  /** Texts are broken off: their end may be the beginning of a value, and is masked, too. */
  readonly isBroken?: boolean;
}

/** A function that replaces every spelling of every value by `***`; short values are ignored. */
export function createRedactor(
  values: readonly string[],
  { isBroken = false }: RedactorOptions = {},
): Redact {
  const spellings = [...new Set(values)].filter(isMaskable).flatMap(spellingsOf);
  if (spellings.length === 0) return (text) => text;
  return (text) => {
    const searched = prepareText(text, isBroken);
    const spans = spellings.flatMap((spelling) => findSpans(searched, spelling));
    return spans.length === 0 ? text : maskSpans(text, spans);
  };
}

/** The same value with every string and member name redacted. */
export function redactJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') {
    const text = JSON.stringify(value);
    return redact(text) === text ? value : MASK;
  }
  if (value === null || typeof value !== 'object') return value;
  if (isJsonList(value)) return value.map((entry) => redactJson(entry, redact));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [redact(name), redactJson(entry, redact)]),
  );
}

/** The outcome for a record: values of secret extractions are masked, sealed as they are. */
export function maskExtracted(outcome: StepOutcome): StepOutcome {
  if (!outcome.extracted.some(({ secret }) => secret === true)) return outcome;
  const extracted = outcome.extracted.map((entry) =>
    entry.secret === true ? { ...entry, value: MASK } : entry,
  );
  return { ...outcome, extracted };
}
