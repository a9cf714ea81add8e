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

/** A text as it is, anything else as JSON. */
export function jsonText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
