/**
 * Takes known secret values out of text, however they are spelled there. It must be applied before
 * a text is cut, since half a secret is recognised only at the end of a text.
 */
import type { JsonValue } from '../contracts/definition';
import type { StepOutcome } from '../contracts/outcome';
import { createReplace } from './secret-spellings';

export const MASK = '***';
export type Redact = (text: string) => string;

/** Shorter values are not masked: that would show more of them than it hides. */
export const SECRET_LENGTH_MIN = 4;

/** True when a value is long enough to be masked. */
export function isMaskable(value: string): boolean {
  return value.length >= SECRET_LENGTH_MIN;
}

/** A function that replaces every spelling of every value by `***`; short values are ignored. */
export function createRedactor(values: readonly string[]): Redact {
  const replacements = [...new Set(values)]
    .filter(isMaskable)
    .sort((left, right) => right.length - left.length)
    .map(createReplace);
  return (text) => replacements.reduce((masked, replace) => replace(masked, MASK), text);
}

/** Masks the end of a text that was broken off, where a value has begun but not ended. */
export function redactBrokenEnd(text: string, values: readonly string[]): string {
  const lengths = values.filter(isMaskable).map((value) => {
    let length = Math.min(value.length - 1, text.length);
    while (length >= SECRET_LENGTH_MIN && !text.endsWith(value.slice(0, length))) length -= 1;
    return length >= SECRET_LENGTH_MIN ? length : 0;
  });
  const longest = Math.max(0, ...lengths);
  return longest === 0 ? text : `${text.slice(0, -longest)}${MASK}`;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The same value with every string and member name redacted. */
export function redactJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') {
    const text = JSON.stringify(value);
    return redact(text) === text ? value : MASK;
  }
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((entry) => redactJson(entry, redact));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [redact(name), redactJson(entry, redact)]),
  );
}

/** The texts of a value that must not be shown: its strings and numbers, however deep. */
export function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [JSON.stringify(value)];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsIn);
}

/** The outcome for a record: values of secret extractions are masked, sealed as they are. */
export function maskExtracted(outcome: StepOutcome): StepOutcome {
  if (!outcome.extracted.some(({ secret }) => secret === true)) return outcome;
  const extracted = outcome.extracted.map((entry) =>
    entry.secret === true ? { ...entry, value: MASK } : entry,
  );
  return { ...outcome, extracted };
}
