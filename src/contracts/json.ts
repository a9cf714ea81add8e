/** Helpers for JSON values: type guards, and conversions that keep large integers exact. */
import type { JsonValue } from './definition';

/** True for an object that is neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Parses the text as JSON. undefined means that the text is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const parsed: JsonValue = JSON.parse(text);
    return parsed;
  } catch {
    return undefined;
  }
}

/** Parses the text as JSON. Returns the text itself if it is not JSON. */
export function parseJsonOrText(text: string): JsonValue {
  const parsed = parseJson(text);
  return parsed === undefined ? text : parsed;
}

/**
 * Marks the digits of an integer that a JavaScript number cannot represent exactly. The mark is a Unicode noncharacter,
 * so no other text contains it.
 */
const LARGE_INTEGER_MARK = '\ufdd0';
const LARGE_INTEGER = /^\ufdd0-?\d+$/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns the digits of a large integer. null means any other value. */
export function readLargeInteger(value: JsonValue): string | null {
  if (typeof value !== 'string' || !LARGE_INTEGER.test(value)) return null;
  return value.slice(LARGE_INTEGER_MARK.length);
}

/** True if the text may contain an integer that does not fit into a JavaScript number. */
export function mayHoldLargeIntegers(json: string): boolean {
  return /\d{16}/.test(json);
}

/** Parses valid JSON and keeps every integer exactly as written. */
export function parseExactly(json: string): JsonValue {
  if (!mayHoldLargeIntegers(json)) return JSON.parse(json);
  const marked = json.replaceAll(STRING_OR_NUMBER, (token) => {
    const isLarge = /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
    return isLarge ? `"${LARGE_INTEGER_MARK}${token}"` : token;
  });
  return JSON.parse(marked);
}

/** Returns JSON in which large integers are numbers again. */
export function formatExactJson(value: JsonValue | Readonly<Record<string, unknown>>): string {
  return JSON.stringify(value).replaceAll(/"\ufdd0(-?\d+)"/g, '$1');
}

/** Returns the value with plain digits instead of marked large integers, for people and records. */
export function withoutMarks(value: JsonValue): JsonValue {
  if (typeof value === 'string') return readLargeInteger(value) ?? value;
  if (value === null || typeof value !== 'object') return value;
  if (isJsonList(value)) return value.map(withoutMarks);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, withoutMarks(entry)]),
  );
}

/** Returns a text unchanged, and anything else as JSON. */
export function formatJsonText(value: JsonValue): string {
  if (typeof value !== 'string') return formatExactJson(value);
  return readLargeInteger(value) ?? value;
}
