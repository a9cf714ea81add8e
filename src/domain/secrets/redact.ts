/** The mask for secret values, the minimum length of masked values, and the masking of JSON and outcomes. */
import type { JsonValue } from '../../contracts/definition';
import { isJsonList } from '../../contracts/json';
import type { StepOutcome } from '../../contracts/outcome';

export const MASK = '***';
export type Redact = (text: string) => string;

/** Shorter values are not masked, because the masks would reveal more than they hide. */
export const SECRET_LENGTH_MIN = 4;

/** True if a value is long enough to be masked. */
export function isMaskable(value: string): boolean {
  return value.length >= SECRET_LENGTH_MIN;
}

/** Returns the value with every string, number and member name redacted. */
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

/** Returns the outcome for a record. Values of secret extractions are masked, although they are encrypted. */
export function maskExtracted(outcome: StepOutcome): StepOutcome {
  if (!outcome.extracted.some(({ secret }) => secret === true)) return outcome;
  const extracted = outcome.extracted.map((entry) =>
    entry.secret === true ? { ...entry, value: MASK } : entry,
  );
  return { ...outcome, extracted };
}
