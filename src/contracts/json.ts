/** What a JSON value is, where its type alone does not tell. */
import type { JsonValue } from './definition';

/** An object with members: neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** What a text says as JSON; undefined where it is none. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    const parsed: JsonValue = JSON.parse(text);
    return parsed;
  } catch {
    return undefined;
  }
}

/** What a text says as JSON; the text itself where it is none. */
export function jsonOrText(text: string): JsonValue {
  const parsed = parsedJson(text);
  return parsed === undefined ? text : parsed;
}

/**
 * In front of the digits of an integer that a number of JavaScript cannot hold; no text has this character
 * (a noncharacter of Unicode). Such an integer is a number of JSON all the same.
 */
const LARGE_INTEGER_MARK = '\ufdd0';
const LARGE_INTEGER = /^\ufdd0-?\d+$/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The digits of a large integer; null for every other value. */
export function largeIntegerIn(value: JsonValue): string | null {
  if (typeof value !== 'string' || !LARGE_INTEGER.test(value)) return null;
  return value.slice(LARGE_INTEGER_MARK.length);
}

/** False where no integer of the text needs more than a number. */
export function mayHoldLargeIntegers(json: string): boolean {
  return /\d{16}/.test(json);
}

/** Valid JSON parsed with every integer as exact as it is written. */
export function parseExactly(json: string): JsonValue {
  if (!mayHoldLargeIntegers(json)) return JSON.parse(json);
  const marked = json.replaceAll(STRING_OR_NUMBER, (token) => {
    const isLarge = /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
    return isLarge ? `"${LARGE_INTEGER_MARK}${token}"` : token;
  });
  return JSON.parse(marked);
}

/** JSON in which large integers are numbers again. */
export function exactJson(value: JsonValue | Readonly<Record<string, unknown>>): string {
  return JSON.stringify(value).replaceAll(/"\ufdd0(-?\d+)"/g, '$1');
}

/** For people and records: large integers as their digits. */
export function withoutMarks(value: JsonValue): JsonValue {
  if (typeof value === 'string') return largeIntegerIn(value) ?? value;
  if (value === null || typeof value !== 'object') return value;
  if (isJsonList(value)) return value.map(withoutMarks);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, withoutMarks(entry)]),
  );
}

/** A text as it is, anything else as JSON. */
export function jsonText(value: JsonValue): string {
  if (typeof value !== 'string') return exactJson(value);
  return largeIntegerIn(value) ?? value;
}
